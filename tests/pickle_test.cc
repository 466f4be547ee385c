// Tests the pickle reader on exact bytes: what it takes, and above all what it refuses.
#include "converter/pickle.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "converter/input_error.h"
#include "tests/text_fixture.h"

namespace ulhff {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Reads a file as one pickle, or a part of it, and spells the value as Python would.
class Unpickled {
 public:
  explicit Unpickled(const std::string& path)
      : file_(path),
        spool_(Options()),
        reader_(file_, spool_, [](uint64_t offset, const auto& what) {
          throw InputError(fmt::format("{}: {}", offset, what));
        }) {}

  std::string Spell() { return Spell(0, file_.size()); }
  std::string Spell(uint64_t offset, uint64_t size) { return Spell(reader_.Read(offset, size), 0); }
  const PickleValue& Read() { return reader_.Read(0, file_.size()); }
  std::string Bytes(const PickleValue& value) {
    if (!value.spooled) return file_.ReadText(value.offset, value.size);
    return FileWindow(spool_.path()).ReadText(value.offset, value.size);
  }

 private:
  static ConvertOptions Options() {
    ConvertOptions options;
    options.tmp_dir = testing::TempDir();
    return options;
  }

  std::string Spell(const PickleValue& value, int depth) {
    if (depth > 5) return "...";
    std::string text;
    switch (value.type) {
      case PickleValue::Type::kNone:
        return "None";
      case PickleValue::Type::kNumber:
        return value.text;
      case PickleValue::Type::kNan:
        return "nan";
      case PickleValue::Type::kText:
        return fmt::format("'{}'", value.text);
      case PickleValue::Type::kBytes:
        return value.size > 20 ? fmt::format("b({})", value.size)
                               : fmt::format("b'{}'", Bytes(value));
      case PickleValue::Type::kList:
        for (const auto* item : value.items)
          text += (text.empty() ? "" : ", ") + Spell(*item, depth + 1);
        return "[" + text + "]";
      case PickleValue::Type::kDict:
        for (size_t i = 0; i < value.items.size(); i += 2) {
          text += (text.empty() ? "" : ", ") + Spell(*value.items[i], depth + 1) + ": " +
                  Spell(*value.items[i + 1], depth + 1);
        }
        return "{" + text + "}";
      case PickleValue::Type::kCallable:
      case PickleValue::Type::kOther:
        break;
    }
    return "<" + value.text + ">";
  }

  FileWindow file_;
  SpooledFile spool_;
  PickleReader reader_;
};

std::string Spell(const std::string& bytes) {
  const TempText file("p", bytes);
  return Unpickled(file.path()).Spell();
}

struct Sample {
  const char* name;
  std::string bytes;
  const char* value;
};

// What protocol 5 writes for a pair: PROTO, FRAME, EMPTY_DICT, MEMOIZE, MARK ...
const std::string kPair = Bytes(
    "\x80\x05\x95\x20\0\0\0\0\0\0\0}\x94(\x8c\x05image\x94"
    "C\x02\xff\xd8\x94\x8c\x07"
    "caption\x94"
    "\x8c\x01t\x94u.");

const std::vector<Sample>& Samples() {
  static const std::vector<Sample> samples = {
      {"Pair", kPair, "{'image': b'\xff\xd8', 'caption': 't'}"},
      {"Scalars",
       Bytes("\x80\x02]q\0(K\x01M\x02\x01J\xff\xff\xff\xffN\x88\x89G\x40\x84\x04\0\0\0\0\0e."),
       "[1, 258, -1, None, true, false, 640.5]"},
      {"WholeFloat", Bytes("G\x3f\xf0\0\0\0\0\0\0."), "1.0"},
      {"Nan", Bytes("G\x7f\xf8\0\0\0\0\0\0."), "nan"},
      {"Longs",
       Bytes("\x80\x02(\x8a\0\x8a\x01\xff\x8a\x02\xff\0\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"
             "\x8b\x01\0\0\0\x05t."),
       "[0, -1, 255, 9223372036854775807, 5]"},
      {"HugeLong", Bytes("\x8a\x09\0\0\0\0\0\0\0\0\x01."), "<an integer of more than 64 bits>"},
      {"TextForms", Bytes("(X\1\0\0\0a\x8c\1b\x8d\1\0\0\0\0\0\0\0ct."), "['a', 'b', 'c']"},
      {"BytesForms", Bytes("(C\1aB\1\0\0\0b\x8e\1\0\0\0\0\0\0\0c\x96\1\0\0\0\0\0\0\0dt."),
       "[b'a', b'b', b'c', b'd']"},
      {"Tuples", Bytes("()K\1\x85K\1K\2\x86K\1K\2K\3\x87l."), "[[], [1], [1, 2], [1, 2, 3]]"},
      {"Memo", Bytes("(\x8c\1a\x94q\5r\7\0\0\0h\0h\5j\7\0\0\0t."), "['a', 'a', 'a', 'a']"},
      {"MemoOfProtocol0", Bytes("(dp0\nVkey\np1\nVtext\np2\nsVother\ng2\ns."),
       "{'key': 'text', 'other': 'text'}"},
      {"ListsOfProtocol0", Bytes("(lp0\nVa\naI12\naI01\naI00\naL-5L\naF1.5\naFnan\naNa."),
       "['a', 12, true, false, -5, 1.5, nan, None]"},
      {"EscapesOfProtocol0", Bytes("(V\\u5e7f\\U0001f600\\\\u0041\xe9\nl."),
       "['\xe5\xb9\xbf\xf0\x9f\x98\x80\\\\u0041\xc3\xa9']"},
      {"DictOfMark", Bytes("(\x8c\1aK\1d."), "{'a': 1}"},
      {"BytesOfProtocol2",
       Bytes("c_codecs\nencode\nq\0X\4\0\0\0\xc3\xbfX\xc3\xbfX\6\0\0\0latin1\x86R."), nullptr},
      {"EmptyBytesOfProtocol2", Bytes("c__builtin__\nbytes\n)R."), "b''"},
      {"OrderedDict",
       Bytes("\x80\4\x8c\x0b"
             "collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94\x8c\1a"
             "K\1s."),
       "{'a': 1}"},
      {"ListInItself", Bytes("]\x94h\0a."), "[[[[[[...]]]]]]"},
      {"LoneSurrogate", Bytes("\x8c\3\xed\xa0\x80."), "'\xed\xa0\x80'"},
  };
  return samples;
}

TEST(PickleTest, ReadsTheDataOpcodesOfAllProtocols) {
  for (const Sample& sample : Samples()) {
    if (sample.value == nullptr) continue;
    EXPECT_EQ(Spell(sample.bytes), sample.value) << sample.name;
  }
}

TEST(PickleTest, BytesOfProtocol2AreDecodedAsLatin1) {
  EXPECT_EQ(Spell(Bytes("c_codecs\nencode\nX\5\0\0\0\xc3\xbfX\xc2\x80X\6\0\0\0latin1\x86R.")),
            "b'\xffX\x80'");
}

TEST(PickleTest, OfEqualKeysTheLastOneCounts) {
  const TempText file("p", Bytes("}(\x8c\1aK\1\x8c\1aK\2u."));
  Unpickled pickle(file.path());
  EXPECT_EQ(pickle.Read().Find("a")->text, "2");
  EXPECT_EQ(pickle.Read().Find("b"), nullptr);
}

TEST(PickleTest, ReadsAPartOfAFileAndCountsOffsetsFromItsStart) {
  const TempText file("p", "before" + kPair + "behind");
  Unpickled pickle(file.path());
  EXPECT_EQ(pickle.Spell(6, kPair.size()), Samples()[0].value);
  EXPECT_THAT([&] { pickle.Spell(6, kPair.size() - 1); },
              ThrowsMessage<InputError>("8: pickle: FRAME needs 32 bytes, 31 are left"));
}

struct Refused {
  const char* name;
  std::string bytes;
  const char* message;
};

class PickleRefusesTest : public testing::TestWithParam<Refused> {};

TEST_P(PickleRefusesTest, ByNameAndOffset) {
  EXPECT_THAT([&] { Spell(GetParam().bytes); },
              ThrowsMessage<InputError>(HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    Code, PickleRefusesTest,
    testing::Values(
        Refused{"Global", Bytes("\x80\2cos\nsystem\n(X\2\0\0\0idtR."),
                "2: pickle: GLOBAL of os.system could run code and is refused"},
        Refused{"StackGlobal", Bytes("\x80\4\x8c\2os\x8c\6system\x93)R."),
                "14: pickle: STACK_GLOBAL of os.system could run code"},
        Refused{"Builtin", Bytes("cbuiltins\neval\n."), "GLOBAL of builtins.eval could run code"},
        Refused{"ImportOfAllowedNameElsewhere", Bytes("cos\nencode\n."), "GLOBAL of os.encode"},
        Refused{"EncodeInAnotherEncoding", Bytes("c_codecs\nencode\nX\1\0\0\0aX\3\0\0\0hex\x86R."),
                "REDUCE could run code"},
        Refused{"EncodeOfMore", Bytes("c_codecs\nencode\nX\1\0\0\0a\x85R."),
                "REDUCE could run code"},
        Refused{"CallOfText", Bytes("X\1\0\0\0a)R."), "7: pickle: REDUCE could run code"},
        Refused{"DictWithItems", Bytes("ccollections\nOrderedDict\nK\1\x85R."), "REDUCE could run"},
        Refused{"Build", Bytes("}}b."), "2: pickle: BUILD could run code and is refused"},
        Refused{"Inst", Bytes("(ios\nsystem\n."), "1: pickle: INST could run code"},
        Refused{"Obj", Bytes("(NNo."), "3: pickle: OBJ could run code"},
        Refused{"NewObj", Bytes("N)\x81."), "2: pickle: NEWOBJ could run code"},
        Refused{"NewObjEx", Bytes("N)}\x92."), "3: pickle: NEWOBJ_EX could run code"},
        Refused{"Ext1", Bytes("\x82\1."), "0: pickle: EXT1 could run code"},
        Refused{"Ext2", Bytes("\x83\1\1."), "0: pickle: EXT2 could run code"},
        Refused{"Ext4", Bytes("\x84\1\1\1\1."), "0: pickle: EXT4 could run code"},
        Refused{"PersId", Bytes("Pabc\n."), "0: pickle: PERSID could run code"},
        Refused{"BinPersId", Bytes("NQ."), "1: pickle: BINPERSID could run code"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Nonsense, PickleRefusesTest,
    testing::Values(
        Refused{"Nothing", "", "0: pickle: ends without STOP"},
        Refused{"NoStop", Bytes("N"), "1: pickle: ends without STOP"},
        Refused{"NoValue", Bytes("."), "STOP with more or less than one value"},
        Refused{"TwoValues", Bytes("NN."), "STOP with more or less than one value"},
        Refused{"OpenMark", Bytes("N(."), "STOP with more or less than one value"},
        Refused{"BytesBehind", Bytes("N.zzz"), "3 bytes follow the STOP"},
        Refused{"UnknownOpcode", Bytes("\xff"), "0: pickle: opcode 0xff is none of the data"},
        Refused{"OtherDataOpcode", Bytes("N0."), "1: pickle: POP is none of the data opcodes"},
        Refused{"NewProtocol", Bytes("\x80\6N."), "protocol 6 is not known"},
        Refused{"LongText",
                Bytes("X\xff\xff\xff\xff"
                      "abc."),
                "BINUNICODE needs 4294967295 bytes, 4 are"},
        Refused{"LongBytes",
                Bytes("\x8e\xff\xff\xff\xff\xff\xff\xff\xff"
                      "abc."),
                "BINBYTES8 needs 18446744073709551615 bytes, 4 are left"},
        Refused{"LongFrame", Bytes("\x95\xff\0\0\0\0\0\0\0N."),
                "FRAME needs 255 bytes, 2 are left"},
        Refused{"GetOfNothing", Bytes("h\5."), "BINGET of 5, which was never put"},
        Refused{"PutOfNothing", Bytes("q\5."), "BINPUT finds no value"},
        Refused{"AppendToDict", Bytes("}Na."), "APPEND finds no list"},
        Refused{"AppendBelowMark", Bytes("](Na."), "APPEND finds no list"},
        Refused{"SetItemOfList", Bytes("]NNs."), "SETITEM finds no dict"},
        Refused{"OddItems", Bytes("}(Nu."), "a key without a value"},
        Refused{"OddDict", Bytes("(Nd."), "DICT with a key without a value"},
        Refused{"NoMark", Bytes("Nu."), "SETITEMS finds no MARK"},
        Refused{"PopBelowMark", Bytes("N(\x85."), "TUPLE1 finds no value"},
        Refused{"BadInt", Bytes("Iabc\n."), "INT with a bad number"},
        Refused{"BadGet", Bytes("gabc\n."), "GET with a bad number"},
        Refused{"BadEscape", Bytes("V\\u12\n."), "UNICODE with a bad escape"},
        Refused{"EndlessLine", Bytes("Vabc"), "UNICODE needs 1 bytes, 0 are left"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(PickleTest, EveryTruncationIsAnError) {
  for (const Sample& sample : Samples()) {
    const TempText file("p", sample.bytes);
    Unpickled pickle(file.path());
    for (size_t size = 0; size < sample.bytes.size(); ++size) {
      EXPECT_THROW(pickle.Spell(0, size), InputError) << sample.name << " " << size;
    }
  }
}

TEST(PickleTest, EveryChangedByteIsReadOrRefused) {
  for (const Sample& sample : Samples()) {
    std::string mutants;
    for (size_t at = 0; at < sample.bytes.size(); ++at) {
      for (unsigned change = 1; change < 256; ++change) {
        std::string bytes = sample.bytes;
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ change);
        mutants += bytes;
      }
    }
    const TempText file("p", mutants);
    Unpickled pickle(file.path());
    size_t refused = 0;
    for (size_t at = 0; at < mutants.size(); at += sample.bytes.size()) {
      try {
        pickle.Spell(at, sample.bytes.size());
      } catch (const InputError&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 0U) << sample.name;
  }
}

// --- written by CPython

struct Fixture {
  const char* name;
  std::string value;
};

class PickleFixtureTest : public testing::TestWithParam<Fixture> {};

TEST_P(PickleFixtureTest, IsRead) {
  const std::string path = FixturePath(fmt::format("pickle_records/{}.pkl", GetParam().name));
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  EXPECT_EQ(Unpickled(path).Spell(), GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(
    Files, PickleFixtureTest,
    testing::Values(
        Fixture{"p0_two_captions", Bytes("{'image': b'\xff\xd8\0', 'captions': ['a', 'b']}")},
        Fixture{"p2_two_captions", Bytes("{'image': b'\xff\xd8\0', 'captions': ['a', 'b']}")},
        Fixture{"p3_two_captions", "{'image': b(52544), 'captions': ['a', 'b']}"},
        Fixture{"p4_two_captions", "{'image': b(52544), 'captions': ['a', 'b']}"},
        Fixture{"p5_two_captions", "{'image': b(52544), 'captions': ['a', 'b']}"},
        Fixture{"p5_bytearray", "{'image': b(52544), 'captions': ['t']}"},
        Fixture{"p5_empty_image", "{'image': b'', 'captions': ['t']}"},
        Fixture{"p5_extra_keys",
                "{'image': b'\xff\xd8', 'captions': ['t'], 'id': 391895, 'w': 640.5, 'ok': true, "
                "'none': None, 'tup': [1, 2]}"},
        Fixture{"p5_key_order_swapped", "{'captions': ['t'], 'image': b'\xff\xd8'}"},
        Fixture{"p5_nan_caption", "{'image': b(52544), 'captions': [nan]}"},
        Fixture{"p5_nan_pair", "{'image': b(52544), 'caption': nan}"},
        Fixture{"p5_one_caption", "{'image': b(52544), 'captions': ['only']}"},
        Fixture{"p5_pair", "{'image': b(52544), 'caption': 'a caption'}"},
        Fixture{"p5_small_image", "{'image': b'\xff\xd8', 'captions': ['t']}"},
        Fixture{"p5_unicode", "{'image': b'\xff\xd8', 'captions': ['广州市', 'naïve', '😀']}"},
        Fixture{"p5_zero_captions", "{'image': b(52544), 'captions': []}"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(PickleFixturesTest, HoldTheirCaptionsInFull) {
  const std::string path = FixturePath("pickle_records");
  if (path.empty()) GTEST_SKIP() << "no fixtures";
  const auto captions = [&](const char* name) {
    Unpickled pickle(fmt::format("{}/{}.pkl", path, name));
    std::vector<std::string> texts;
    for (const auto* item : pickle.Read().Find("captions")->items) texts.push_back(item->text);
    return texts;
  };
  const auto many = captions("p5_many_captions");
  ASSERT_EQ(many.size(), 2500U);
  EXPECT_EQ(many[2499], "c2499");
  EXPECT_EQ(captions("p5_long_caption").at(0).size(), 300U);
  for (const char* name : {"p5_same_object_twice", "p5_equal_not_same"}) {
    const auto texts = captions(name);
    ASSERT_EQ(texts.size(), 3U) << name;
    EXPECT_EQ(texts[0], texts[2]) << name;
    EXPECT_EQ(texts[1], "x") << name;
  }
}

}  // namespace
}  // namespace ulhff
