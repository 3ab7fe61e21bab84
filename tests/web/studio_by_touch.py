"""Somebody who teaches a board by touch, on the real pages of the studio.

What has to be done is decided as the model `Teacher` decides it; here every step is done with taps
on what the pages show, and each tap is counted when it is made.
"""

from collections.abc import Mapping
from math import hypot
from typing import Any

from companion.studio.desk import StudioDesk
from scoring.board.board import Board, Route
from tests.support.teacher import Teacher
from vision.registration.geometry import Points
from web.errors import ActionRefusedError
from web.studio_port import StudioSpace

ON_THE_CHART = """([x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform(document.querySelector("#chart").getScreenCTM());
  return [at.x, at.y];
}"""

HAND_AT = "([x, y]) => getComputedStyle(document.elementFromPoint(x, y)).cursor"

LINKS: Mapping[str, str] = {
    "skip-place": "Not now: on to the next",
    "begin-to-add": "Add a place",
    "begin-to-tap": "Tap what was not found",
}
"""Steps that are a link and no more."""


class TouchTeacher(Teacher):
    """The teacher with a tablet in the hand; `touched` counts taps, `keys` strokes of keys.

    Pasting counts as one stroke. A list of choices takes two taps: to open it and to choose.
    """

    def __init__(self, page: Any, studio: StudioDesk, truth: Board, seen: Points) -> None:
        """The page shows a board in work. `seen` as for the model."""
        self._page = page
        super().__init__(studio, str(page.url.split("/studio/")[1].split("?")[0]), truth, seen)
        self.touched = self.taps
        self.keys = 0

    @property
    def at(self) -> str:
        """What the side shows."""
        return str(self._page.url.partition("at=")[2] or "map")

    # --- taps ---

    def tap(self, thing: Any) -> None:
        """A tap that changes the page."""
        self._page.evaluate("document.querySelector('#studio-side').dataset.was = ''")
        self.tap_only(thing)
        self._changed()

    def tap_only(self, thing: Any) -> None:
        """A tap into a field, on a choice, or on what opens."""
        thing.tap()
        self.touched += 1

    def link(self, name: str) -> None:
        """A link of the side."""
        self.tap(self._page.get_by_role("link", name=name, exact=True))

    def button(self, name: str) -> None:
        """A button of the side."""
        self.tap(self._page.get_by_role("button", name=name, exact=True))

    def tap_chart(self, x: float, y: float) -> None:
        """A point of the map; x and y in thousandths of its width."""
        left, top = self._page.evaluate(ON_THE_CHART, [x, y])
        shown = self._page.evaluate(HAND_AT, [left, top])
        assert shown == "pointer", "Safari tells of a tap only where the hand would show"
        self._page.evaluate("document.querySelector('#studio-side').dataset.was = ''")
        self._page.touchscreen.tap(left, top)
        self.touched += 1
        self._changed()

    def write(self, field: Any, words: str) -> None:
        """One line is typed, many are pasted."""
        self.tap_only(field)
        field.fill(words)
        self.keys += 1 if "\n" in words else len(words)

    def choose(self, select: Any, **option: str) -> None:
        """One of a list of choices."""
        select.select_option(**option)
        self.touched += 2

    def _changed(self) -> None:
        self._page.wait_for_selector("#studio-side:not([data-was]):not([aria-busy])")
        self._board = None
        refused = self._page.locator("#studio-side [role=alert]")
        if refused.count():
            raise ActionRefusedError("web.error.field", field=refused.inner_text())

    # --- the steps, as the pages take them ---

    def _do(self, what: str, at: str, **fields: Any) -> None:
        self._count(what)
        getattr(self, "_do_" + what.replace("-", "_"))(fields)
        self._at = at

    def _undo(self) -> None:
        self._count("undo")
        self.tap(self._page.locator("[data-key=studio-undo]"))

    def _count(self, what: str) -> None:
        super()._count(what)
        if what in ("no-more-places", "to-the-map"):
            self.link("Back to the map")
        elif what == "to-the-ends":
            self.tap(self._page.locator('#studio-side a[href="?at=ends"]'))
        elif what in LINKS:
            self.link(LINKS[what])

    def _open(self, line: int) -> None:
        super()._open(line)
        if self.at != f"line-{line}":
            self.tap_chart(*self._free(line))
        assert self.at == f"line-{line}"

    def _do_names(self, fields: dict[str, Any]) -> None:
        self.link("List of names")
        self.write(self._page.get_by_role("textbox", name="List of names"), fields["names"])
        self.button("Keep")

    def _do_name_place(self, fields: dict[str, Any]) -> None:
        assert self.at == f"place-{fields['place']}", "it is this one's turn"
        self.button(fields["name"])

    def _do_add_place(self, fields: dict[str, Any]) -> None:
        self.tap_only(self._page.get_by_role("button", name=fields["name"], exact=True))
        self.tap_chart(1000 * fields["x"], self.board.height * fields["y"])

    def _do_loose_ends(self, fields: dict[str, int]) -> None:
        assert self.at == "ends"
        for choice in self._page.locator("#studio-side fieldset").all():
            now = choice.locator("input:checked")
            right = str(fields.get(now.get_attribute("name"), ""))
            if now.get_attribute("value") != right:
                self.tap_only(choice.locator(f'input[value="{right}"]'))
        self.button("These ends are right")

    def _do_tap_space(self, fields: dict[str, float]) -> None:
        self.tap_chart(1000 * fields["x"], self.board.height * fields["y"])

    def _do_delete_line(self, fields: dict[str, int]) -> None:
        self.button("Delete this line")

    def _do_delete_space(self, fields: dict[str, int]) -> None:
        self.link(str(fields["space"]))
        self.button("Delete this space")

    def _do_add_space(self, fields: dict[str, Any]) -> None:
        self.tap_only(self._page.get_by_role("button", name="Add a space: tap where it is"))
        self.tap_chart(1000 * fields["x"], self.board.height * fields["y"])

    def _do_split_line(self, fields: dict[str, int]) -> None:
        after = self._page.locator("select[name=after]")
        if after.input_value() != str(fields["after"]):
            self.choose(after, value=str(fields["after"]))
        self.button("Split into two lines")

    def _do_join_lines(self, fields: dict[str, int]) -> None:
        number = str(fields["other"])
        offered = self._page.locator(f'button[name=other][value="{number}"].same')
        if offered.count():
            self.tap(offered)
            return
        choices = self._page.locator("select[name=other]")
        if choices.input_value() != number:
            self.choose(choices, value=number)
        self.button("Make them one line")

    def _do_line_ends(self, fields: dict[str, int]) -> None:
        wanted = {fields["from"], fields["to"]}
        for form in self._page.locator("form:has(> button.same):has(input[name=from])").all():
            ends = {int(form.locator(f"[name={one}]").input_value()) for one in ("from", "to")}
            if ends == wanted:
                self.tap(form.locator("button"))
                return
        form = self._page.locator("form", has_text="It joins these two places")
        for field in ("from", "to"):
            select = form.locator(f"select[name={field}]")
            if int(select.input_value()) not in wanted:
                other = "to" if field == "from" else "from"
                (right,) = wanted - {int(form.locator(f"select[name={other}]").input_value())}
                self.choose(select, value=str(right))
        self.button("It joins these two places")

    def _do_mark_line(self, fields: dict[str, Any]) -> None:
        self.tap(self._page.locator(f'button[name=colour][value="{fields["colour"]}"]'))

    def _do_cross_lines(self, fields: dict[str, int]) -> None:
        form = self._page.locator("form:has(input[value=cross-lines])")
        self.tap(form.locator(f'button[value="{fields["other"]}"]'))

    def _do_add_line(self, fields: dict[str, Any]) -> None:
        place = self.board.place(fields["from"])
        assert place is not None
        self.tap_chart(place.x, place.y)
        details = self._page.locator("details", has_text="Draw a line from here")
        if details.get_attribute("open") is None:
            self.tap_only(details.locator("summary"))
        self.choose(details.locator("select[name=to]"), value=str(fields["to"]))
        if fields["colour"] != "grey":
            self.choose(details.locator("select[name=colour]"), value=fields["colour"])
        self.tap(details.locator(f'button[name=length][value="{fields["length"]}"]'))

    def _do_tickets(self, fields: dict[str, str]) -> None:
        self.link("Tickets")
        field = self._page.get_by_role("textbox", name="Take these tickets")
        self.write(field, fields["rows"])
        self.button("Take these tickets")

    def _do_rules(self, fields: dict[str, Any]) -> None:
        self.link("Name and rules of the game")
        self.write(self._page.get_by_label("Name of the board"), fields["title"])
        self.button("Keep")

    def _free(self, number: int) -> tuple[float, float]:
        """A point of a line, as far from the places and from other lines as can be."""
        line = self.board.line(number)
        assert line is not None
        spots = [spot for space in line.spaces for spot in _spots(space)]
        others = [other for other in self.board.lines if other.number != number]
        things = [*self.board.places, *(space for other in others for space in other.spaces)]
        return max(spots, key=lambda at: min(hypot(at[0] - a.x, at[1] - a.y) for a in things))

    def draw_again(self, route: Route) -> None:
        """A line that is right is deleted, brought back, deleted once more, and drawn by hand."""
        line = self.line_of(route)
        assert line is not None
        self._delete(line.number)
        assert self.line_of(route) is None
        self._undo()
        assert self.line_of(route) == line
        self._delete(line.number)
        self._draw(route)
        self._to_map()

    def save(self) -> None:
        """The last two taps."""
        self._to_map()
        self._count("save")
        self.link("Check and save")
        assert self._page.locator("#studio-side .told .mend").all_inner_texts() == []
        self.tap_only(self._page.get_by_role("button", name="Save the board"))


def _spots(space: StudioSpace) -> list[tuple[float, float]]:
    """The middle of a space, and points towards its corners."""
    middle = (space.x, space.y)
    return [middle] + [((x + 2 * space.x) / 3, (y + 2 * space.y) / 3) for x, y in space.corners]
