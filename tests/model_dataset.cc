// Writes the dataset and, with other means than the views use, the maps of what they must show.
#include "tests/model_dataset.h"

#include <fmt/format.h>

#include <algorithm>

namespace ulhff {

namespace {

std::string Dot(const std::string& extension) { return extension.empty() ? "" : "." + extension; }

std::string FieldSuffix(const std::vector<FieldSpec>& fields, uint64_t f,
                        const TreeOptions& options) {
  if (f == 0)
    return Dot(options.text_extension.empty() ? fields[0].extension : options.text_extension);
  if (fields[f].name.empty() || fields[f].name == fields[f].extension)
    return Dot(fields[f].extension);
  return Dot(fields[f].name) + Dot(fields[f].extension);
}

std::string MediaSuffix(const std::string& extension, const TreeOptions& options) {
  return Dot(options.media_extension == "keep" ? extension : options.media_extension);
}

// The default layout only: templates are tested for themselves.
std::string KeyPath(uint64_t number, const TreeOptions& options) {
  const std::string key =
      fmt::format("{:0{}}", number, options.width.value_or(TreeOptions::kWidth));
  const uint64_t fan_out = options.fan_out.value_or(TreeOptions::kFanOut);
  return options.flat ? key : fmt::format("{:05}/{}", number / fan_out, key);
}

}  // namespace

ModelDataset::ModelDataset(const std::string& path, const ModelShape& shape)
    : shape_(shape), random_(shape.seed) {
  WriterOptions options;
  options.fields = shape_.fields;
  options.splits = shape_.splits;
  options.default_mtime_ns = kDefaultTime;
  Writer writer(path, options);
  MakeObjects(writer);
  MakeBlobs(writer);
  MakeNames(writer);
  writer.Finish();
}

uint64_t ModelDataset::Random(uint64_t below) { return random_() % below; }

void ModelDataset::MakeObjects(Writer& writer) {
  for (uint64_t o = 0; o < shape_.objects; ++o) {
    Media media;
    media.extension = shape_.extensions[Random(shape_.extensions.size())];
    media.content = fmt::format("media {} {}", o, std::string(Random(50), 'm'));
    media.mtime_ns = static_cast<int64_t>(Random(2'000'000'000)) * 1'000'000'001 - 5;
    media_.push_back(media);
    writer.BeginObject(media.extension, media.mtime_ns);
    writer.AppendMedia(AsBytes(media.content));
    const uint64_t pairs = shape_.fixed ? shape_.max_pairs : 1 + Random(shape_.max_pairs);
    for (uint64_t slot = 0; slot < pairs; ++slot) MakePair(writer, o);
    writer.EndObject();
  }
}

void ModelDataset::MakePair(Writer& writer, uint64_t object) {
  std::vector<std::optional<ByteSpan>> bytes;
  std::vector<std::optional<int64_t>> times;
  const size_t first = texts_.size();
  for (size_t f = 0; f < shape_.fields.size(); ++f) {
    TextPart text;
    text.mtime_ns = static_cast<int64_t>(Random(1'000'000));
    if (Random(100) >= shape_.absent_percent)
      text.content = fmt::format("text {}{}", texts_.size(), std::string(Random(9), 't'));
    if (text.content && Random(10) == 0) text.content->clear();
    texts_.push_back(text);
  }
  for (size_t t = first; t < texts_.size(); ++t) {
    bytes.emplace_back(texts_[t].content ? std::optional(AsBytes(*texts_[t].content))
                                         : std::nullopt);
    times.emplace_back(texts_[t].mtime_ns);
  }
  const uint64_t split = shape_.splits.empty() ? 0 : Random(shape_.splits.size());
  const auto in_split = std::count_if(pairs_.begin(), pairs_.end(),
                                      [&](const ModelPair& p) { return p.split == split; });
  media_[object].pairs.push_back(pairs_.size());
  pairs_.push_back(
      {object, media_[object].pairs.size() - 1, split, static_cast<uint64_t>(in_split)});
  writer.AddPair(bytes, split, times);
}

void ModelDataset::MakeBlobs(Writer& writer) {
  for (uint64_t b = 0; b < shape_.blobs; ++b) {
    blobs_.push_back({fmt::format("blob {}", b), static_cast<int64_t>(b)});
    writer.BeginBlob(blobs_.back().mtime_ns);
    writer.AppendBlob(AsBytes(*blobs_.back().content));
    writer.EndBlob();
  }
}

std::string ModelDataset::RandomName() {
  std::string name;
  const uint64_t size = 1 + Random(Random(20) == 0 ? 255 : 6);
  // Few letters, for long shared prefixes; bytes of all kinds between them.
  static constexpr std::string_view kBytes("ab-. #\n\\\xff\xc3\xa9Z0", 13);
  while (name.size() < size) name += kBytes[Random(Random(2) == 0 ? 2 : kBytes.size())];
  return name == "." || name == ".." ? "x" : name;
}

std::string ModelDataset::RandomPath() {
  std::string path;
  for (uint64_t depth = Random(4); depth > 0; --depth)
    path += fmt::format("d{}/", Random(Random(2) == 0 ? 2 : 12));
  return path + "f" + RandomName().substr(0, 250);
}

void ModelDataset::MakeNames(Writer& writer) {
  source_.directories[""] = kDefaultTime;
  const auto add = [&](Target target, const ModelFile& file) {
    std::string path = RandomPath();
    while (source_.files.count(path) > 0) path = RandomPath();
    source_.files[path] = file;
    AddParents(source_, path, kDefaultTime);
    writer.AddName(path, target);
  };
  for (uint64_t o = 0; o < media_.size(); ++o) {
    for (uint64_t n = 1 + Random(3); n > 0; --n) add({TargetKind::kMedia, o}, MediaFile(o));
  }
  for (uint64_t t = 0; shape_.name_texts && t < texts_.size(); ++t) {
    const auto file = TextFile(t, AbsentText::kOmit);
    if (file && Random(4) != 0) add({TargetKind::kText, t}, *file);
  }
  for (uint64_t b = 0; b < blobs_.size(); ++b)
    add({TargetKind::kBlob, b}, {NodeKind::kBlob, b, *blobs_[b].content, blobs_[b].mtime_ns});
  writer.AddDirectory("d0/empty", 77);
  source_.directories["d0"] = kDefaultTime;
  source_.directories["d0/empty"] = 77;
}

void ModelDataset::AddParents(Model& model, const std::string& path, int64_t mtime_ns) {
  for (size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
    model.directories.emplace(path.substr(0, at), mtime_ns);
}

ModelFile ModelDataset::MediaFile(uint64_t object) const {
  return {NodeKind::kMedia, object, media_[object].content, media_[object].mtime_ns};
}

std::optional<ModelFile> ModelDataset::TextFile(uint64_t text, AbsentText absent) const {
  if (!texts_[text].content && absent == AbsentText::kOmit) return std::nullopt;
  return ModelFile{NodeKind::kText, text, texts_[text].content.value_or(""), texts_[text].mtime_ns};
}

Model ModelDataset::Source() const { return source_; }

Model ModelDataset::Pairs(const TreeOptions& options) const {
  Model model;
  model.directories[""] = kDefaultTime;
  const uint64_t fields = shape_.fields.size();
  for (const std::string& split : shape_.splits) {
    if (shape_.splits.size() > 1) model.directories[split] = kDefaultTime;
  }
  for (uint64_t p = 0; p < pairs_.size(); ++p) {
    const ModelPair& pair = pairs_[p];
    std::string key = KeyPath(pair.number_in_split, options);
    if (shape_.splits.size() > 1) key = shape_.splits[pair.split] + "/" + key;
    AddParents(model, key, kDefaultTime);
    model.files[key + MediaSuffix(media_[pair.object].extension, options)] = MediaFile(pair.object);
    for (uint64_t f = 0; f < fields; ++f) {
      if (const auto file = TextFile(p * fields + f, options.absent_text))
        model.files[key + FieldSuffix(shape_.fields, f, options)] = *file;
    }
  }
  return model;
}

Model ModelDataset::Objects(const TreeOptions& options) const {
  Model model;
  model.directories[""] = kDefaultTime;
  const uint64_t fields = shape_.fields.size();
  for (uint64_t o = 0; o < media_.size(); ++o) {
    const std::string key = KeyPath(o, options);
    AddParents(model, key, kDefaultTime);
    model.files[key + MediaSuffix(media_[o].extension, options)] = MediaFile(o);
    for (uint64_t slot = 0; slot < media_[o].pairs.size(); ++slot) {
      for (uint64_t f = 0; f < fields; ++f) {
        const auto file = TextFile(media_[o].pairs[slot] * fields + f, options.absent_text);
        if (file)
          model.files[fmt::format("{}.{}{}", key, slot, FieldSuffix(shape_.fields, f, options))] =
              *file;
      }
    }
  }
  return model;
}

Model ModelDataset::View(const TreeOptions& options) const {
  const ViewKind view = options.view.value_or(ViewKind::kSource);
  if (view == ViewKind::kSource) return Source();
  if (view == ViewKind::kPairs) return Pairs(options);
  if (view == ViewKind::kObjects) return Objects(options);
  Model all;
  all.directories[""] = kDefaultTime;
  const auto merge = [&](const std::string& name, const Model& model) {
    for (const auto& [path, mtime] : model.directories)
      all.directories[path.empty() ? name : name + "/" + path] = mtime;
    for (const auto& [path, file] : model.files) all.files[name + "/" + path] = file;
  };
  merge("source", Source());
  merge("pairs", Pairs(options));
  merge("objects", Objects(options));
  return all;
}

}  // namespace ulhff
