# check_page.py - checks that a page of a report is well-formed and self-contained
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every element that is opened is closed in order, links lead to sections of the
# page, and the page loads and runs nothing.

import html.parser
import sys

VOID = {"meta", "rect", "line", "path", "br"}
SECTIONS = {"Program", "Phases", "Launch", "Work and roofline", "Products",
            "Decisions", "Tiles", "Accesses to shared memory",
            "Accesses to global memory", "Instructions in the PTX",
            "Shared memory over time", "Layouts", "PTX beside the program"}


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.titles = [], set(), set(), set()
        self.pictures = 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert tag not in ("script", "link", "img", "iframe", "object"), tag
        assert "src" not in attributes, attributes
        self.links |= {attributes["href"]} if "href" in attributes else set()
        self.ids |= {attributes["id"]} if "id" in attributes else set()
        self.pictures += tag == "svg"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open and self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        if self.open and self.open[-1] in ("h2", "h3", "summary"):
            self.titles.add(data.strip())


checker = Checker()
checker.feed(open(sys.argv[1]).read())
checker.close()
assert not checker.open, checker.open
assert SECTIONS <= checker.titles, SECTIONS - checker.titles
assert checker.links and all(link[0] == "#" and link[1:] in checker.ids
                             for link in checker.links), checker.links
assert checker.pictures >= 2, checker.pictures
