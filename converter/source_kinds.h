// The kinds of sources, one function each; recognise.cc orders them.
#ifndef ULHFF_CONVERTER_SOURCE_KINDS_H_
#define ULHFF_CONVERTER_SOURCE_KINDS_H_

#include <vector>

#include "converter/source.h"

namespace ulhff {

SourceKind UlhffKind();                     // ulhff_source.cc
SourceKind FfrecordKind();                  // ffrecord_source.cc
SourceKind TfrecordKind();                  // tfrecord_source.cc
SourceKind MdsKind();                       // mds_source.cc
SourceKind TarKind();                       // tar_source.cc
SourceKind FilesKind();                     // files_source.cc
SourceKind LibriTtsKind();                  // libritts_source.cc
SourceKind HuggingFaceKind();               // table_source.cc
SourceKind TableKind();                     // table_source.cc
std::vector<SourceKind> KnownTableKinds();  // table_recognise.cc
SourceKind KarpathyKind();                  // karpathy_source.cc
SourceKind VqaKind();                       // vqa_source.cc
SourceKind GqaKind();                       // gqa_source.cc
SourceKind MsrvttKind();                    // msrvtt_source.cc
SourceKind CocoKind();                      // coco_source.cc
SourceKind MsvdKind();                      // msvd_source.cc
SourceKind SbuKind();                       // sbu_source.cc
SourceKind TokenKind();                     // token_source.cc

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_SOURCE_KINDS_H_
