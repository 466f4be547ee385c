// Tests that one fault in annotations stops a conversion with its place, whatever the format and
// wherever it stands, and that --lenient keeps all that it does not touch.
#include "converter/source.h"
#include "tests/policy_cases.h"
#include "tests/recording_sink.h"
#include "tests/temp_tree.h"

namespace ulhff {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string Replaced(std::string bytes, std::string_view from, std::string_view to) {
  const size_t at = bytes.rfind(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? bytes : bytes.replace(at, from.size(), to);
}

// `fault`: of the error. `kept`, and where texts stand apart from their media: if lenient.
struct Damage {
  const char* name;
  std::string (*apply)(std::string bytes);
  const char* fault;
  const char *kept, *kept_apart;
};

const Damage kDamages[] = {
    {"FirstText", [](std::string bytes) { return Replaced(bytes, "\"one\"", "NaN"); },
     "no JSON value", "B: two | C: three", "A: - | B: two | C: three"},
    {"SecondText", [](std::string bytes) { return Replaced(bytes, "\"two\"", "NaN"); },
     "no JSON value", "A: one | C: three", "A: one | B: - | C: three"},
    {"LostQuote", [](std::string bytes) { return Replaced(bytes, "\"two\"", "two\""); }, "bad JSON",
     "A: one | C: three", "A: one | B: - | C: three"},
    {"LostQuoteOnALineWithAll",
     [](std::string bytes) {
       std::erase(bytes, '\n');
       return Replaced(bytes, "\"two\"", "two\"");
     },
     "bad JSON", "A: one | C: three", "A: one | B: - | C: three"},
    {"CutBehindTheFirst", [](std::string bytes) { return bytes.substr(0, bytes.rfind("\"two\"")); },
     "the file ends too early", "A: one", "A: one | B: - | C: -"},
    {"BraceTooMany", [](std::string bytes) { return bytes + "}"; }, "more data after the end",
     "A: one | B: two | C: three", "A: one | B: two | C: three"},
    {"CommaTooMany", [](std::string bytes) { return bytes.insert(bytes.size() - 1, ","); },
     "a comma too many", "A: one | B: two | C: three", "A: one | B: two | C: three"},
};

class DamagedAnnotationsTest : public SmallSourceTest {
 protected:
  void WriteDamaged(const Items& items, const Damage& damage) {
    Write(items);
    const std::string part = std::string("d/") + GetParam().part;
    tree.Write(part, damage.apply(ReadBytes(tree(part))));
  }
};

TEST_P(DamagedAnnotationsTest, AreRefusedWithThePlaceAndKeptIfLenient) {
  for (const Damage& damage : kDamages) {
    SCOPED_TRACE(damage.name);
    WriteDamaged({{"1", Jpg("A"), "one"}, {"2", Jpg("B"), "two"}, {"3", Jpg("C"), "three"}},
                 damage);
    const std::string place = std::string(GetParam().part) + ":";
    EXPECT_THAT([&] { ConvertSource(); },
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr(place), HasSubstr(": byte "), HasSubstr(damage.fault))));
    options.lenient = true;
    EXPECT_EQ(ConvertSource(), GetParam().Is(kTextsApart) ? damage.kept_apart : damage.kept);
  }
}

// An image or a question with an id that is none: what is said of it is left out as well.
TEST_P(DamagedAnnotationsTest, LeaveOutWhatBelongsToAnEntryThatIsLeftOut) {
  if (!GetParam().Is(kTextsApart)) return;
  WriteDamaged({{"1", Jpg("A"), "one"}, {"2", Jpg("B"), "two"}},
               {"", [](std::string bytes) { return bytes.insert(bytes.find("id\":") + 4, "NaN+"); },
                "", "", ""});
  EXPECT_THROW(ConvertSource(), InputError);
  options.lenient = true;
  EXPECT_EQ(ConvertSource(), "B: two");
  EXPECT_EQ(report->count(Odd::kTruncated), 2U);
}

// Behind the entries that tell what the file is.
TEST_P(DamagedAnnotationsTest, AreKeptIfLenientHoweverFarDownTheFaultIs) {
  Items items;
  for (int i = 1; i <= 250; ++i) {
    items.push_back({std::to_string(i), Jpg("A"), i == 200 ? "two" : "text"});
  }
  const Damage& damage = kDamages[1];
  WriteDamaged(items, damage);
  EXPECT_THAT([&] { ConvertSource(); }, ThrowsMessage<InputError>(HasSubstr(damage.fault)));
  options.lenient = true;
  ConvertSource();
  EXPECT_EQ(report->count(Odd::kTruncated), 1U);
}

// A list whose first captions tell what the file is, and which has a fault behind them.
TEST(DamagedListsTest, NameTheFaultIfNothingIsLeft) {
  TempTree tree{"v0.mp4", "v1.mp4"};
  ConvertOptions options;
  options.lenient = true;
  tree.Write("c.json", R"({"v0": ["t", T0", "w"]})");
  EXPECT_THAT(
      [&] { ScanChosen(tree.root(), options); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("c.json:1: "), HasSubstr("no entry is left"))));
}

ULHFF_FOR_SMALL_KINDS(DamagedAnnotationsTest, kIsJson);

}  // namespace
}  // namespace ulhff
