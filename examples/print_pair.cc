// Prints pair i of a ULHFF file: where it lies, its media, its texts.   print_pair FILE.ulhff i
#include <ulhff/reader.h>

#include <exception>
#include <iostream>
#include <string>

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "Usage: print_pair FILE.ulhff PAIR\n";
    return 2;
  }
  const ulhff::Reader reader = ulhff::Reader::Open(argv[1]);
  const uint64_t pair = std::stoull(argv[2]);
  const ulhff::PairLocation at = reader.Locate(pair);
  const ulhff::ObjectLayout object = reader.Object(at.object);
  ulhff::AlignedBuffer buffer;
  const ulhff::ByteSpan bytes = reader.ReadObject(object, buffer);  // one read, verified

  std::cout << "pair " << pair << ": slot " << at.slot << " of object " << at.object
            << "\nmedia: " << object.media_size << " bytes, ." << reader.Extension(at.object)
            << '\n';
  const uint64_t fields = reader.info().fields.size();
  for (uint64_t field = 0; field < fields; ++field) {
    const ulhff::TextLayout text = reader.Text(object, pair * fields + field);
    std::cout << "text:  ";
    if (text.absent) std::cout << "(absent)";
    std::cout << ulhff::AsText(bytes.subspan(text.position, text.size)) << '\n';
  }
} catch (const std::exception& error) {
  std::cerr << "print_pair: " << error.what() << '\n';
  return 1;
}
