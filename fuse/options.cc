// Parses the command line: one table of settings serves --name=value and -o name=value alike.
#include "options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "ulhff/tree_options.h"

namespace ulhff {

namespace {

namespace po = boost::program_options;

template <typename T>
T ParseNumber(std::string_view name, const std::string& value, int base = 10, T min = 0,
              T max = std::numeric_limits<T>::max()) {
  T number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number, base);
  if (error != std::errc() || stop != end || number < min || number > max) {
    throw std::invalid_argument(fmt::format("{}={}: wants {} number from {} to {}", name, value,
                                            base == 8 ? "an octal" : "a", min, max));
  }
  return number;
}

mode_t ParseMask(std::string_view name, const std::string& value) {
  return ParseNumber<mode_t>(name, value, 8, 0, 0777);
}

ReadMode ParseReadMode(const std::string& value) {
  if (value == "auto" || value == "direct") return ReadMode::kDirect;
  if (value == "uncached") return ReadMode::kUncached;
  if (value == "buffered") return ReadMode::kBuffered;
  throw std::invalid_argument(
      fmt::format("io={}: wants auto, direct, uncached or buffered", value));
}

Transport ParseTransport(const std::string& value) {
  if (value == "auto") return Transport::kAuto;
  if (value == "device") return Transport::kDevice;
  if (value == "io_uring") return Transport::kIoUring;
  throw std::invalid_argument(fmt::format("transport={}: wants auto, device or io_uring", value));
}

// Handed to libfuse as given.
void SetKernel(MountOptions& options, std::string_view name, const std::string& value) {
  options.kernel.push_back(value.empty() ? std::string(name) : fmt::format("{}={}", name, value));
}

struct Setting {
  std::string_view name;
  bool has_value;
  void (*apply)(MountOptions&, std::string_view name, const std::string& value);
};

using Options = MountOptions;
using Name = std::string_view;
using Value = const std::string&;

// All but those of the tree, which tree_options.h knows.
constexpr auto kSettings = std::to_array<Setting>({
    {"uid", true, [](Options& o, Name n, Value v) { o.uid = ParseNumber<uid_t>(n, v); }},
    {"gid", true, [](Options& o, Name n, Value v) { o.gid = ParseNumber<gid_t>(n, v); }},
    {"umask", true, [](Options& o, Name n, Value v) { o.umask = ParseMask(n, v); }},
    {"fmask", true, [](Options& o, Name n, Value v) { o.fmask = ParseMask(n, v); }},
    {"dmask", true, [](Options& o, Name n, Value v) { o.dmask = ParseMask(n, v); }},
    {"xattr", false, [](Options& o, Name, Value) { o.xattr = true; }},
    {"io", true, [](Options& o, Name, Value v) { o.reader.mode = ParseReadMode(v); }},
    {"pool", true,
     [](Options& o, Name n, Value v) {
       o.pool.bytes = ParseNumber<uint64_t>(n, v, 10, 1, 65536) << 20;
     }},
    {"whole_object", true,
     [](Options& o, Name n, Value v) {
       o.pool.whole_object = ParseNumber<uint64_t>(n, v, 10, 0, 1024) << 20;
     }},
    {"threads", true,
     [](Options& o, Name n, Value v) { o.threads = ParseNumber<unsigned>(n, v, 10, 1, 1024); }},
    {"clone_fd", false, [](Options& o, Name, Value) { o.clone_fd = true; }},
    {"transport", true, [](Options& o, Name, Value v) { o.transport = ParseTransport(v); }},
    {"idle_timeout", true,
     [](Options& o, Name n, Value v) { o.idle_timeout = ParseNumber<unsigned>(n, v); }},
    {"nonempty", false, [](Options& o, Name, Value) { o.nonempty = true; }},
    {"fsname", true, [](Options& o, Name, Value v) { o.fsname = v; }},
    {"allow_other", false, SetKernel},
    {"allow_root", false, SetKernel},
    {"auto_unmount", false, SetKernel},
    {"noexec", false, SetKernel},
    {"context", true, SetKernel},
    {"fscontext", true, SetKernel},
    {"defcontext", true, SetKernel},
    {"rootcontext", true, SetKernel},
});

// What mount(8) and fstab bring along. Nothing of it changes a mount that is always read-only,
// noatime, nosuid and nodev, and checks permissions in the kernel.
constexpr auto kIgnored = std::to_array<std::string_view>({"",
                                                           "_netdev",
                                                           "async",
                                                           "atime",
                                                           "auto",
                                                           "default_permissions",
                                                           "defaults",
                                                           "dev",
                                                           "diratime",
                                                           "dirsync",
                                                           "exec",
                                                           "group",
                                                           "lazytime",
                                                           "noatime",
                                                           "noauto",
                                                           "nodev",
                                                           "nodiratime",
                                                           "nofail",
                                                           "nolazytime",
                                                           "norelatime",
                                                           "nostrictatime",
                                                           "nosuid",
                                                           "nouser",
                                                           "owner",
                                                           "relatime",
                                                           "ro",
                                                           "rw",
                                                           "strictatime",
                                                           "suid",
                                                           "sync",
                                                           "user",
                                                           "users"});

bool IsIgnored(std::string_view name) {
  return name.starts_with("x-") || name.starts_with("X-") || name == "comment" ||
         std::find(kIgnored.begin(), kIgnored.end(), name) != kIgnored.end();
}

const Setting* FindSetting(std::string_view name) {
  const auto* const found =
      std::find_if(kSettings.begin(), kSettings.end(),
                   [name](const Setting& setting) { return setting.name == name; });
  return found == kSettings.end() ? nullptr : found;
}

// nullopt: there is no such option.
std::optional<bool> HasValue(std::string_view name) {
  if (const Setting* const setting = FindSetting(name)) return setting->has_value;
  for (const TreeOptionHelp& option : TreeOptionList()) {
    if (option.key == name) return option.argument != nullptr;
  }
  return std::nullopt;
}

// Precondition: HasValue(name).
void Set(MountOptions& options, const std::string& name, const std::string& value) {
  if (ParseTreeOption(options.tree, name, value)) return;
  FindSetting(name)->apply(options, name, value);
}

// "a=b,c" as fuse and mount(8) have it: a backslash takes the next character as it is.
std::vector<std::string> SplitAtCommas(const std::string& list) {
  std::vector<std::string> items(1);
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size()) {
      items.back() += list[++i];
    } else if (list[i] == ',') {
      items.emplace_back();
    } else {
      items.back() += list[i];
    }
  }
  return items;
}

void ApplyMountOption(MountOptions& options, const std::string& item) {
  const size_t equals = item.find('=');
  const std::string name = item.substr(0, equals);
  if (IsIgnored(name)) return;
  const std::optional<bool> has_value = HasValue(name);
  if (!has_value) throw std::invalid_argument(fmt::format("unknown mount option '{}'", name));
  if (*has_value != (equals != std::string::npos)) {
    throw std::invalid_argument(
        fmt::format("mount option '{}' {} value", name, *has_value ? "needs a" : "takes no"));
  }
  Set(options, name, *has_value ? item.substr(equals + 1) : "");
}

// --fan-out is --fan_out.
std::vector<std::string> WithUnderscores(std::vector<std::string> arguments) {
  for (std::string& argument : arguments) {
    if (argument == "--") break;
    if (!argument.starts_with("--")) continue;
    const auto end = std::find(argument.begin(), argument.end(), '=');
    std::replace(argument.begin() + 2, end, '-', '_');
  }
  return arguments;
}

po::options_description Description() {
  po::options_description description;
  auto add = description.add_options();
  add("help,h", "")("version,V", "")("foreground,f", "")("debug,d", "")("single,s", "");
  add("option,o", po::value<std::vector<std::string>>()->composing(), "");
  add("operand", po::value<std::vector<std::string>>()->composing(), "");
  for (const std::string& name : MountOptionNames()) {
    if (*HasValue(name)) {
      add(name.c_str(), po::value<std::string>(), "");
    } else {
      add(name.c_str(), "");
    }
  }
  return description;
}

void Apply(MountOptions& options, const po::option& given) {
  const std::string& name = given.string_key;
  const std::string value = given.value.empty() ? "" : given.value.front();
  if (name == "help") {
    options.help = true;
  } else if (name == "version") {
    options.version = true;
  } else if (name == "foreground") {
    options.foreground = true;
  } else if (name == "debug") {
    options.debug = options.foreground = true;
  } else if (name == "single") {
    options.threads = 1;
  } else if (name == "option") {
    for (const std::string& item : SplitAtCommas(value)) ApplyMountOption(options, item);
  } else if (name == "operand") {
    if (!options.mountpoint.empty())
      throw std::invalid_argument("more than FILE and MOUNTPOINT given");
    (options.file.empty() ? options.file : options.mountpoint) = value;
  } else {
    Set(options, name, value);
  }
}

// Options of which one makes another void; those of the tree are checked by Tree.
void CheckTogether(const MountOptions& options) {
  if (options.umask != 0 && options.fmask && options.dmask) {
    throw std::invalid_argument("umask: not with both fmask and dmask, which leave it nothing");
  }
  // More than the default is what was asked for.
  if (options.pool.whole_object > std::max(options.pool.bytes, PoolOptions().whole_object)) {
    throw std::invalid_argument(fmt::format("whole_object={}: such objects have no room in pool={}",
                                            options.pool.whole_object >> 20,
                                            options.pool.bytes >> 20));
  }
}

}  // namespace

MountOptions::MountOptions() : uid(::getuid()), gid(::getgid()) {}

MountOptions ParseMountOptions(const std::vector<std::string>& arguments) {
  MountOptions options;
  try {
    const po::options_description description = Description();
    po::positional_options_description operands;
    operands.add("operand", -1);
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const auto parsed = po::command_line_parser(WithUnderscores(arguments))
                            .options(description)
                            .positional(operands)
                            .style(style)
                            .run();
    for (const po::option& given : parsed.options) Apply(options, given);
  } catch (const po::error& error) {
    throw std::invalid_argument(error.what());
  }
  if (options.help || options.version) return options;
  if (options.mountpoint.empty()) throw std::invalid_argument("FILE and MOUNTPOINT are needed");
  CheckTogether(options);
  return options;
}

std::vector<std::string> MountOptionNames() {
  std::vector<std::string> names;
  for (const TreeOptionHelp& option : TreeOptionList()) names.emplace_back(option.key);
  for (const Setting& setting : kSettings) names.emplace_back(setting.name);
  return names;
}

}  // namespace ulhff
