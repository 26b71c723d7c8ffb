"""check FOLDER: compiles the sources for macOS and the iOS simulator on Linux, as far as modules go.

FOLDER has `headers`, those of macOS. The interfaces of Swift's libraries are those of this toolchain, which
say since which macOS each name is there. Nothing is linked or run.
"""

import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys

HEADERS = """
  arpa/inet.h crt_externs.h dirent.h dlfcn.h errno.h fcntl.h limits.h mach/mach.h math.h
  net/if.h netdb.h netinet/in.h netinet/tcp.h poll.h pthread.h sched.h semaphore.h signal.h spawn.h
  stdio.h stdlib.h string.h sys/event.h sys/file.h sys/ioctl.h sys/mman.h sys/resource.h sys/semaphore.h
  sys/socket.h sys/stat.h sys/sysctl.h sys/time.h sys/types.h sys/uio.h sys/un.h sys/wait.h termios.h
  time.h unistd.h""".split()
MODULES = """Swift SwiftOnoneSupport _Builtin_float _Concurrency _RegexParser _StringProcessing
  RegexBuilder Synchronization Observation Testing""".split()
PLATFORMS = {
    "macos": ("x86_64-apple-macosx15.0", "x86_64-apple-macos", "macosx"),
    "ios": ("x86_64-apple-ios18.0-simulator", "x86_64-apple-ios-simulator", "iphonesimulator"),
}
# Foundation has no interface here, and tests need it: only their imports are looked at.
UNCHECKED = {"UnderstudyURLSessionClient", "UnderstudyTestSupport", "wrong-consumers"}
APPLE = {"Darwin", "Foundation", "MachO", "XCTest", *MODULES}
# Neither has XCTest: what we call of it.
XCTEST = """// swift-interface-format-version: 1.0
// swift-compiler-version: Swift
// swift-module-flags: -target TARGET -module-name XCTest -swift-version 5 -enable-library-evolution
import Swift
public func XCTFail(_ message: Swift.String = "", file: Swift.StaticString = #filePath, line: Swift.UInt = #line)
"""
# What an app's tests use in a simulator, where no libcurl is.
FOR_IOS = {"UnderstudyTesting"}

work = pathlib.Path(sys.argv[1])
toolchain = json.loads(subprocess.run(
    ["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout)
library = pathlib.Path(toolchain["paths"]["runtimeResourcePath"])
host = toolchain["target"]["moduleTriple"]


def make_sdk():
    sdk = work / "sdk/usr/include"
    shutil.copytree(work / "headers", sdk)
    # Apple's SDK has libcurl's headers, which are the same everywhere.
    curl = next(path for path in pathlib.Path("/usr/include").glob("**/curl/curl.h"))
    shutil.copytree(curl.parent, sdk / "curl")
    lines = "".join(f'  header "{name}"\n' for name in HEADERS)
    (sdk / "module.modulemap").write_text(f"module Darwin [system] {{\n{lines}  export *\n}}\n"
                                          'module MachO [system] {\n  header "mach-o/dyld.h"\n}\n')


def interface(module, target):
    text = (library / "linux" / f"{module}.swiftmodule" / f"{host}.swiftinterface").read_text()
    # The library itself may use whatever it has.
    text = re.sub(r"-target \S+", f"-disable-availability-checking -target {target}", text, count=1)
    text = text.replace("-library-level api", "")
    text = re.sub(r"@backDeployed\([^\n)]*\)", "", text)
    # A lock of Linux, in the bodies of functions that clients inline.
    return text.replace("import Glibc", "import Darwin").replace("_swift_stdlib_gettid()", "UInt32(1)")


def darwin_interface(target):
    """What Swift adds to the headers is nearly the same for each C library."""
    text = interface("Glibc", target).replace("-module-name Glibc", "-module-name Darwin -import-underlying-module")
    text = text.replace("@_exported import SwiftGlibc", "@_exported import Darwin")
    text = re.sub(r"\b(Swift)?Glibc\.", "Darwin.", text)
    text = re.sub(r"SwiftOverlayShims\.(timespec|timeval|sem_t)", r"Darwin.\1", text)
    text = text.replace("public typealias sighandler_t = Darwin.__sighandler_t", "")
    handler = "@convention(c) (Swift.Int32) -> Swift.Void"
    text = text.replace("Darwin.sighandler_t?", f"({handler})?").replace("Darwin.sighandler_t", handler)
    text = re.sub(r"public var environ:.*?\n}\n", "", text, flags=re.S)
    for name in ("stdin", "stdout", "stderr"):
        text += f"public var {name}: Swift.UnsafeMutablePointer<Darwin.FILE> {{\n  get\n  set\n}}\n"
    # Swift imports these names of constants from the headers of Apple's own SDK.
    for name in ("CLOCK_MONOTONIC", "CLOCK_REALTIME"):
        text += f"public var {name}: Darwin.clockid_t {{\n  get\n}}\n"
    return text


def make_library(target, triple, folder):
    resources = work / "resources"
    for name in ("shims", "clang"):
        shutil.copytree(library / name, resources / name, dirs_exist_ok=True)
    texts = {module: interface(module, target) for module in MODULES}
    texts |= {"Darwin": darwin_interface(target), "XCTest": XCTEST.replace("TARGET", target)}
    for module, text in texts.items():
        path = resources / folder / f"{module}.swiftmodule" / f"{triple}.swiftinterface"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@functools.cache
def targets_by_name():
    # With a folder of its own, a build that runs meanwhile is not waited for.
    package = json.loads(subprocess.run(
        ["swift", "package", "--scratch-path", str(work / "package"), "dump-package"],
        check=True, capture_output=True, text=True).stdout)
    return {target["name"]: target for target in package["targets"]}


def root_of(target):
    return pathlib.Path(target.get("path") or f"Sources/{target['name'].removeprefix('Understudy')}")


def targets(platform):
    """Those of the package by name, each after what it uses."""
    known = targets_by_name()
    ordered = {}

    def visit(name):
        if name in ordered or name in UNCHECKED:
            return
        for dependency in known[name]["dependencies"]:
            used, condition = dependency["target"]
            if condition is None or platform in condition["platformNames"]:
                visit(used)
        ordered[name] = known[name]

    for name, target in known.items():
        wanted = target["type"] in ("regular", "executable") if platform == "macos" else name in FOR_IOS
        if wanted:
            visit(name)
    return ordered


def check(platform):
    target, triple, folder = PLATFORMS[platform]
    make_library(target, triple, folder)
    built = work / platform
    built.mkdir()
    flags = ["-target", target, "-sdk", str(work / "sdk"), "-resource-dir", str(work / "resources"),
             "-plugin-path", str(library / "host/plugins"), "-module-cache-path", str(work / "cache"),
             "-I", str(built), "-disable-objc-interop",
             "-swift-version", "6", "-experimental-allow-module-with-compiler-errors"]
    file_count, wrong_count = 0, 0
    for name, declared in targets(platform).items():
        if declared["type"] == "system":
            flags += ["-Xcc", f"-fmodule-map-file={declared['path']}/module.modulemap"]
            continue
        root = root_of(declared)
        left = {root / path for path in declared["exclude"]}
        sources = [path for path in sorted(root.rglob("*.swift"))
                   if path not in left and not left.intersection(path.parents)]
        features = [feature for setting in declared["settings"]
                    for kind, feature in setting["kind"].items() if kind == "enableUpcomingFeature"]
        own = [word for feature in features for word in ("-enable-upcoming-feature", feature["_0"])]
        if declared["packageAccess"]:
            own += ["-package-name", "understudy"]
        if not any(path.name == "main.swift" for path in sources):
            own += ["-parse-as-library"]
        found = subprocess.run(
            ["swiftc", "-frontend", "-emit-module", "-module-name", name.replace("-", "_"), *flags, *own,
             "-o", str(built / f"{name}.swiftmodule"), *map(str, sources)], capture_output=True, text=True)
        problems = re.findall(r"^/?\S+:\d+:\d+: (?:error|warning): .*$", found.stderr, flags=re.M)
        if found.returncode != 0 and not problems:
            problems = [found.stderr[-2000:]]
        for problem in dict.fromkeys(problems):
            print(problem)
        file_count, wrong_count = file_count + len(sources), wrong_count + len(problems)
    print(f"{platform}: {file_count} files, {wrong_count or 'no'} problems", flush=True)
    return wrong_count == 0


def foreign_imports(path):
    """Imports of modules that Apple's systems lack, but for those that ask whether they are there."""
    conditions = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        words = line.split("//")[0].split()
        match words:
            case ["#if", *condition]:
                conditions.append(" ".join(condition))
            case ["#else" | "#elseif", *_] if conditions:
                # Behind a condition that Apple's systems meet.
                conditions[-1] = "os(Linux)" if "canImport(Darwin)" in conditions[-1] else ""
            case ["#endif"] if conditions:
                conditions.pop()
            case [*_, "import", module] | [*_, "import", _, module]:
                asked = any(f"canImport({module})" in one or "os(Linux)" in one for one in conditions)
                if module not in APPLE and not module.startswith("Understudy") and not asked:
                    yield f"{path}:{number}: error: imports {module}, which Apple's systems lack"


def check_imports():
    package = targets_by_name()
    problems = [problem for name in sorted(UNCHECKED) for path in sorted(root_of(package[name]).rglob("*.swift"))
                for problem in foreign_imports(path)]
    print("\n".join([*problems, f"imports: {len(problems) or 'no'} problems"]), flush=True)
    return not problems


for name in ("sdk", "resources", "cache", *PLATFORMS):
    shutil.rmtree(work / name, ignore_errors=True)
make_sdk()
results = [check_imports(), *(check(platform) for platform in PLATFORMS)]
sys.exit(0 if all(results) else 1)
