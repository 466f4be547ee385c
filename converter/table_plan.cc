// Choice of a table's columns.
#include "converter/table_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "converter/column_names.h"
#include "converter/input_error.h"
#include "converter/known_tables.h"
#include "converter/overview.h"
#include "converter/printable.h"
#include "converter/table_advice.h"
#include "converter/text_list.h"

namespace ulhff {
namespace {

class Planner {
 public:
  Planner(const TablePeek& peek, const std::string& base, const TableDialect& dialect,
          const ConvertOptions& options, MediaFinder& finder)
      : peek_(peek), base_(base), dialect_(dialect), options_(options), finder_(finder) {}

  TablePlan Plan(bool hugging_face) {
    CheckAsked();
    const std::string from = KindAsked(options_);
    if (!hugging_face) known_ = FindKnownTable(peek_.columns, peek_.complete, options_);
    if (IsKnownTable(from) && known_ == nullptr) {
      plan_.broken = peek_.rows.empty() && !peek_.error.empty();
      plan_.problem =
          plan_.broken ? peek_.error
                       : fmt::format("no table of {}: these have {}; {}", from,
                                     DescribeKnownTable(from), DescribeColumns(peek_.columns, {}));
      return std::move(plan_);
    }
    ChooseMedia(hugging_face);
    CheckHeader();
    ChooseTexts();
    for (const auto& [name, column] : options_.fields) plan_.fields.emplace_back(name, column);
    plan_.keep_columns = options_.keep_columns;
    plan_.split_column = options_.split_column;
    if (plan_.split_column.empty() && known_ != nullptr && Has(known_->split)) {
      plan_.split_column = known_->split;
    }
    if (plan_.split_column.empty() && Has("split") && !IsUsed("split")) {
      plan_.split_column = "split";
    }
    if (known_ != nullptr) plan_.known = known_->from;
    Count();
    return std::move(plan_);
  }

 private:
  bool Has(const std::string& column) const {
    return std::find(peek_.columns.begin(), peek_.columns.end(), column) != peek_.columns.end();
  }
  bool IsUsed(const std::string& column) const {
    const auto in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), column) != names.end();
    };
    return in(plan_.media_columns) || in(plan_.text_columns);
  }

  // Of JSON, later rows may have keys that the first have not.
  void Check(const std::string& option, const std::string& pattern,
             const std::string& before = "") const {
    if (dialect_.json && !peek_.complete) return;
    for (const std::string& column : peek_.columns) {
      if (MatchesColumn(pattern, column)) return;
    }
    throw UsageError(fmt::format("{} {}{}: the table has no such column; {}", option, before,
                                 pattern, DescribeColumns(peek_.columns, {pattern})));
  }

  void CheckAsked() const {
    if (!options_.media_column.empty()) Check("--media-column", options_.media_column);
    if (!options_.id_column.empty()) Check("--id-column", options_.id_column);
    if (!options_.split_column.empty()) Check("--split-column", options_.split_column);
    for (const std::string& pattern : options_.text_columns) Check("--text-column", pattern);
    for (const auto& [name, column] : options_.fields) Check("--field", column, name + "=");
  }

  void ChooseMedia(bool hugging_face) {
    if (!options_.media_templates.empty()) {
      for (const std::string& pattern : options_.media_templates) AddTemplate(pattern);
    } else if (!options_.media_column.empty() || !options_.id_column.empty()) {
      plan_.media_columns = {options_.media_column.empty() ? options_.id_column
                                                           : options_.media_column};
    } else if (hugging_face) {
      std::copy_if(peek_.columns.begin(), peek_.columns.end(),
                   std::back_inserter(plan_.media_columns), IsHuggingFaceColumn);
    } else {
      FindMediaColumn();
    }
  }

  void AddTemplate(const std::string& pattern) {
    plan_.media_templates.emplace_back(pattern);
    for (const std::string& column : plan_.media_templates.back().columns()) {
      Check("--media-template", column);
    }
  }

  // All columns that hold media in tables of the known kind, if one of them does.
  bool TakeKnownColumns() {
    for (const std::string& column : known_->media_columns) {
      if (dialect_.json || Has(column)) plan_.media_columns.push_back(column);
    }
    if (plan_.media_columns.empty()) return false;
    const bool any = std::any_of(peek_.rows.begin(), peek_.rows.end(),
                                 [&](const auto& row) { return NamesMedia(row); });
    if (!any && !IsAskedFor()) plan_.media_columns.clear();
    return !plan_.media_columns.empty();
  }

  // The known kind's patterns, if one of them gives a file.
  bool TakeKnownTemplates() {
    std::vector<MediaTemplate> templates(known_->templates.begin(), known_->templates.end());
    const auto gives_file = [&](const MediaTemplate& media_template) {
      return std::any_of(peek_.rows.begin(), peek_.rows.end(),
                         [&](const auto& row) { return IsThere(media_template, row); });
    };
    const bool any = std::any_of(templates.begin(), templates.end(), gives_file);
    if (templates.empty() || (!any && !IsAskedFor())) return false;
    plan_.media_templates = std::move(templates);
    return true;
  }

  bool IsThere(const MediaTemplate& media_template, const std::vector<TablePeek::Cell>& row) {
    const auto path =
        media_template.Expand([&](const std::string& column) -> std::optional<std::string_view> {
          const auto at = std::find(peek_.columns.begin(), peek_.columns.end(), column);
          if (at == peek_.columns.end()) return std::nullopt;
          const auto& values = row[static_cast<size_t>(at - peek_.columns.begin())].values;
          if (values.empty()) return std::nullopt;
          return values[0];
        });
    return path && finder_.Find(*path, base_).found();
  }

  bool IsAskedFor() const { return KindAsked(options_) == known_->from; }

  bool NamesMedia(const std::vector<TablePeek::Cell>& row) {
    if (!options_.media_templates.empty()) return true;  // told after all rows are looked for
    for (const MediaTemplate& media_template : plan_.media_templates) {
      if (IsThere(media_template, row)) return true;
    }
    for (size_t i = 0; i < row.size(); ++i) {
      if (IsMedia(peek_.columns[i]) && HowFound(row[i]) != FoundMedia::How::kMissing) return true;
    }
    return false;
  }

  // How many values of each column are media.
  struct Counts {
    std::vector<uint64_t> by_path, by_stem;
  };
  Counts CountMedia() {
    Counts counts;
    counts.by_path.resize(peek_.columns.size());
    counts.by_stem.resize(peek_.columns.size());
    for (const auto& row : peek_.rows) {
      for (size_t i = 0; i < row.size(); ++i) {
        const auto how = HowFound(row[i]);
        if (how == FoundMedia::How::kByPath) ++counts.by_path[i];
        if (how == FoundMedia::How::kByStem) ++counts.by_stem[i];
      }
    }
    return counts;
  }

  // The column with most values that are paths of media; if there is none, the one whose values
  // mostly are such paths without the extension. Looking for every text of a table in the whole
  // tree is dear: first without.
  void FindMediaColumn() {
    if (known_ != nullptr && TakeKnownColumns()) return;
    const uint64_t half = std::max<uint64_t>((peek_.rows.size() + 1) / 2, 1);
    finder_.SetReach(MediaFinder::Reach::kNear);
    const bool near = TakeBest(CountMedia().by_path, half);
    finder_.SetReach(MediaFinder::Reach::kTree);
    if (near || (known_ != nullptr && TakeKnownTemplates())) return;
    const Counts counts = CountMedia();
    if (TakeBest(counts.by_path, 1) || TakeBest(counts.by_stem, half) || TakeByName()) return;
    DescribeNoMedia();
  }

  void DescribeNoMedia() {
    // Of a list of addresses it matters little that one has a comma in it, and a row that is taken
    // for the header can be the only one.
    const MediaTypes& types = finder_.types();
    const bool clear = !AboutUrls(peek_, types).empty() || !AboutHeader(peek_, types).empty();
    plan_.broken = !peek_.error.empty() && !clear;
    plan_.problem = plan_.broken ? peek_.error : WhyNoMedia(peek_, known_, finder_, leads_outside_);
    if (clear && HoldsTexts(peek_, types)) plan_.lost = plan_.problem;
    for (size_t i = 0; i < peek_.columns.size(); ++i) {
      plan_.names_urls = plan_.names_urls || IsUrl(peek_.columns[i]) || HoldsUrls(peek_, i);
    }
  }

  bool TakeBest(const std::vector<uint64_t>& counts, uint64_t least) {
    const auto most = std::max_element(counts.begin(), counts.end());
    if (most == counts.end() || *most < least) return false;
    plan_.media_columns = {peek_.columns[static_cast<size_t>(most - counts.begin())]};
    for (auto next = most + 1; next != counts.end(); ++next) {
      if (*next != *most) continue;
      plan_.problem = fmt::format(
          "columns '{}' and '{}' name media alike: choose with --media-column",
          plan_.media_columns[0], peek_.columns[static_cast<size_t>(next - counts.begin())]);
    }
    return true;
  }

  // Of a table with texts: the column that is called and filled like one of media, none of which is
  // there. They are told as missing.
  bool TakeByName() {
    const bool texts = known_ != nullptr || !options_.text_columns.empty() ||
                       std::any_of(peek_.columns.begin(), peek_.columns.end(), IsTextColumnName);
    for (size_t i = 0; texts && i < peek_.columns.size(); ++i) {
      if (!IsMediaColumnName(peek_.columns[i]) || !HoldsPaths(peek_, i, finder_.types())) continue;
      plan_.media_columns = {peek_.columns[i]};
      return true;
    }
    return false;
  }

  FoundMedia::How HowFound(const TablePeek::Cell& cell) {
    auto how = FoundMedia::How::kMissing;
    for (const std::string& value : cell.values) {
      if (value.empty()) continue;
      const FoundMedia& media = finder_.Find(value, base_);
      leads_outside_ = leads_outside_ || media.how == FoundMedia::How::kOutside;
      if (!finder_.types().IsMedia(media.name)) continue;
      if (media.how == FoundMedia::How::kByPath) return media.how;
      if (media.how == FoundMedia::How::kByStem && media.other.empty()) how = media.how;
    }
    return how;
  }

  void ChooseTexts() {
    if (!options_.text_columns.empty()) {
      for (const std::string& pattern : options_.text_columns) AddTexts(pattern);
    } else if (known_ != nullptr) {
      plan_.json = known_->json;
      for (const std::string& pattern : known_->texts) AddTexts(pattern);
    } else {
      for (const std::string& name : KnownTextNames()) {
        if (!plan_.text_columns.empty()) break;
        if (Has(name) && !IsUsed(name)) AddTexts(name);
      }
      for (const std::string& column : peek_.columns) {
        if (plan_.text_columns.empty() || IsNumberedTextName(plan_.text_columns[0])) {
          if (IsNumberedTextName(column) && !IsUsed(column)) AddTexts(column);
        }
      }
    }
    if (!plan_.text_columns.empty() || !plan_.json.empty() || !plan_.problem.empty()) return;
    const std::string media = plan_.media_columns.empty() ? "" : plan_.media_columns[0];
    plan_.problem = WhyNoTexts(peek_, dialect_, finder_.types(), media, plan_.odd_header);
  }

  // A glob is resolved here where the columns are known, and stays one for JSON.
  void AddTexts(const std::string& pattern) {
    if (dialect_.json) {
      plan_.text_columns.push_back(pattern);
      return;
    }
    for (size_t i = 0; i < peek_.columns.size(); ++i) {
      const std::string& column = peek_.columns[i];
      if (!MatchesColumn(pattern, column) || IsUsed(column)) continue;
      plan_.text_columns.push_back(column);
      if (HoldsLists(i)) plan_.list_columns.insert(column);
    }
  }

  bool HoldsLists(size_t column) const {
    bool any = false;
    for (const auto& row : peek_.rows) {
      if (row[column].values.empty() || row[column].values[0].empty()) continue;
      if (!ParseListLiteral(row[column].values[0])) return false;
      any = true;
    }
    return any;
  }

  void Count() {
    for (const auto& row : peek_.rows) {
      if (!NamesMedia(row)) continue;
      uint64_t texts = 0;
      for (size_t i = 0; i < row.size(); ++i) {
        const std::string& column = peek_.columns[i];
        if (IsUsed(column) && !IsMedia(column)) texts += row[i].values.size();
      }
      ++plan_.media_peeked;
      const bool any = !plan_.text_columns.empty() || !plan_.json.empty();
      plan_.pairs_peeked += any ? std::max<uint64_t>(texts, 1) : 0;
    }
    if (plan_.media_peeked > 0) return;
    if (peek_.rows.empty() && !peek_.error.empty() && NamesItsColumns()) {
      plan_.broken = true;
      plan_.problem = plan_.lost = peek_.error;
    }
    if (plan_.problem.empty()) DescribeLost();
  }

  // Called like media with texts, whatever is wrong with the rows.
  bool NamesItsColumns() const {
    const std::vector<std::string>& columns = peek_.columns;
    const auto names_media = [](const std::string& column) {
      return IsMediaColumnName(column) || IsHuggingFaceColumn(column);
    };
    return std::any_of(columns.begin(), columns.end(), IsTextColumnName) &&
           std::any_of(columns.begin(), columns.end(), names_media);
  }

  void DescribeLost() {
    for (size_t i = 0; i < peek_.columns.size(); ++i) {
      if (!IsMedia(peek_.columns[i])) continue;
      for (size_t row = 0; row < peek_.rows.size(); ++row) {
        const auto& values = peek_.rows[row][i].values;
        if (values.empty() || values[0].empty()) continue;
        plan_.lost = fmt::format(
            "line {}: '{}' {}, and no other of the first rows names a media that is; say with "
            "--media-root and --strip-prefix where they are, or leave such rows out with "
            "--missing-media skip",
            peek_.lines[row], Printable(values[0].substr(0, 100)),
            finder_.Find(values[0], base_).how == FoundMedia::How::kOutside
                ? "leads out of the directory (--allow-outside)"
                : "is not there");
        return;
      }
    }
  }

  bool IsMedia(const std::string& column) const {
    return std::find(plan_.media_columns.begin(), plan_.media_columns.end(), column) !=
           plan_.media_columns.end();
  }

  // A header that names a media is a row; a first row that says "caption" is a header.
  void CheckHeader() {
    if (dialect_.json) return;
    if (dialect_.header) {
      for (const std::string& column : peek_.columns) {
        const bool media = finder_.types().IsMedia(column) ||
                           (IsMedia(column) && finder_.Find(column, base_).found());
        if (IsUrl(column)) plan_.odd_header = "holds a URL";
        if (media && !IsUrl(column)) plan_.odd_header = "names a media";
      }
    } else if (!peek_.rows.empty()) {
      for (const TablePeek::Cell& cell : peek_.rows[0]) {
        if (cell.values.empty() || !IsKnownTextName(cell.values[0])) continue;
        plan_.odd_header = "looks like a header";
      }
    }
  }

  const TablePeek& peek_;
  const std::string& base_;
  const TableDialect& dialect_;
  const ConvertOptions& options_;
  MediaFinder& finder_;
  const KnownTable* known_ = nullptr;
  bool leads_outside_ = false;  // a value that may not
  TablePlan plan_;
};

}  // namespace

TablePlan PlanTable(const TablePeek& peek, const std::string& base, const TableDialect& dialect,
                    const ConvertOptions& options, MediaFinder& finder) {
  return Planner(peek, base, dialect, options, finder).Plan(false);
}

TablePlan PlanHuggingFace(const TablePeek& peek, const std::string& base,
                          const TableDialect& dialect, const ConvertOptions& options,
                          MediaFinder& finder) {
  return Planner(peek, base, dialect, options, finder).Plan(true);
}

}  // namespace ulhff
