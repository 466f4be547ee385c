"""img2dataset: fetches from a server on this machine and writes files, webdataset and parquet (tfrecord: use_img2dataset_tfrecord.py)."""
import http.server
import json
import os
import sys
import threading

import img2dataset
from samples import Case, pairs, png

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")


class Pictures(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        data = png(int(self.path.strip("/").split(".")[0]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pictures)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def fetch(name, output_format, port):
    case = Case(sys.argv[1], name)
    urls = os.path.join(case.folder, "urls.jsonl")
    known = {png(number): number for number in range(9)}
    with open(urls, "w", encoding="utf-8") as file:
        for media, text in pairs(hard=False):
            row = {"url": f"http://127.0.0.1:{port}/{known[media]}.png", "caption": text}
            file.write(json.dumps(row) + "\n")
    os.rmdir(case.source)  # it wants to make the folder itself
    img2dataset.download(
        url_list=urls, input_format="jsonl", url_col="url", caption_col="caption", output_folder=case.source,
        output_format=output_format, resize_mode="no", encode_format="png", encode_quality=6, skip_reencode=True, disable_all_reencoding=True,
        processes_count=1, thread_count=4, number_sample_per_shard=10, enable_wandb=False,
    )  # fmt: skip
    return case


def read_files(case):
    for folder, _, names in sorted(os.walk(case.source)):
        for name in sorted(n for n in names if n.endswith(".png")):
            path = os.path.join(folder, name)
            with open(path, "rb") as media, open(path[:-4] + ".txt", "rb") as text:
                yield media.read(), text.read()


def read_webdataset(case):
    import webdataset

    shards = sorted(os.path.join(case.source, n) for n in os.listdir(case.source) if n.endswith(".tar"))
    for sample in webdataset.WebDataset(shards, shardshuffle=False, empty_check=False):
        yield sample["png"], sample["txt"]


def read_parquet(case):
    import pyarrow.parquet

    for name in sorted(n for n in os.listdir(case.source) if n.endswith(".parquet")):
        for row in pyarrow.parquet.read_table(os.path.join(case.source, name)).to_pylist():
            yield row["png"], row["caption"]


def main():
    port = serve()
    case = fetch("files", "files", port)
    case.done(read_files(case))
    case = fetch("webdataset", "webdataset", port)
    case.done(read_webdataset(case))
    case = fetch("parquet", "parquet", port)
    command = [sys.executable, os.path.join(EXAMPLES, "parquet_to_tar.py"), case.source]
    case.done(read_parquet(case), command=command)


if __name__ == "__main__":
    main()
