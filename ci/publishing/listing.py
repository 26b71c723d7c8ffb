"""Prints llms.txt for a folder of pages: each with its address and its first sentence.

The form is that of llmstxt.org: a heading, a summary, and lists of links to Markdown.
"""
import re
import sys
from pathlib import Path


def first_sentence(text):
    """What the page says first, below its title and what it needs."""
    paragraphs = text.split("\n\n")[1:]
    plain = next((one for one in paragraphs if re.match(r"[A-Za-z`*]", one)), "")
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(plain.split()))
    return re.split(r"(?<=[.?]) |(?<=:) ", plain)[0].rstrip(":.") + "."


def main():
    folder = Path(sys.argv[1])
    home = (folder / "index.md").read_text(encoding="utf-8")
    print(f"# Understudy\n\n> {first_sentence(home)}")
    pages = sorted(folder.rglob("*.md"))
    for section in ("start", "why", "concepts", "guides", "recipes", "reference"):
        print(f"\n## {section.capitalize()}\n")
        for page in pages:
            path = page.relative_to(folder)
            if path.parts[0] == section:
                text = page.read_text(encoding="utf-8")
                print(f"- [{text.splitlines()[0].removeprefix('# ')}]({path}): {first_sentence(text)}")


main()
