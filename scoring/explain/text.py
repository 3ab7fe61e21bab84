"""Puts an explanation into English or Italian sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, prod

from scoring.board.names import places_name
from scoring.explain.explain import Explanation, Pair
from scoring.language import text
from scoring.language.lists import join_names
from scoring.longest_path.types import Argument, Bounded, CaseSplit, UpperBound

MOST_CASES_TOLD = 8
"""More cases than these are counted, not told one by one."""


def path_rows(explanation: Explanation, language: str) -> list[str]:
    """The path city by city: where it starts, then wagons, next place and the sum so far.

    >>> from scoring.documents.game import parse_game
    >>> from scoring.explain.explain import explain
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> [row.strip() for row in path_rows(explain(game, game.players[0]), "en")]
    ['Omaha', '+  4 → Denver  =  4']
    """
    return list(_Teller(explanation, language).path_rows())


def paragraphs(explanation: Explanation, language: str) -> list[str]:
    """Length, why nothing longer exists, and how the others compare; without the path itself.

    >>> from scoring.documents.game import parse_game
    >>> from scoring.explain.explain import explain
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> paragraphs(explain(game, game.players[0]), "en")[0]
    "Ada's longest path has 4 wagons."
    """
    return [*argument(explanation, language), *_Teller(explanation, language).comparison()]


def argument(explanation: Explanation, language: str) -> list[str]:
    """Length, and why nothing longer exists; without the others' paths.

    >>> from scoring.documents.game import parse_game
    >>> from scoring.explain.explain import explain
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> argument(explain(game, game.players[0]), "en")[1]
    'The path uses every route of its network, all 4 wagons of it: there is nothing to add.'
    """
    teller = _Teller(explanation, language)
    return [teller.length(), *teller.proof()]


@dataclass(frozen=True, slots=True)
class _Teller:
    told: Explanation
    language: str

    def say(self, name: str, **values: object) -> str:
        return text(f"scoring.explain.{name}", self.language, **values)

    # --- names ---

    def wagons(self, count: int) -> str:
        return self.say("wagons", count=count)

    def place(self, node: str) -> str:
        """A city's name; for the end of a line into a country, the country and its line."""
        place, _, route = node.partition(":")
        name = self.told.board.place_by_id[place].name
        if not route:
            return name
        (city,) = (end for end in self.told.board.route_by_id[route].ends if end != place)
        return self.say("terminal", country=name, city=self.told.board.place_by_id[city].name)

    def route(self, name: str) -> str:
        """Both ends of a route; of parallel lines also which one it is."""
        route = self.told.board.route_by_id[name]
        ends = places_name(self.told.board, route.ends)
        group = self.told.board.parallel_groups.get(route.parallel_group or "", ())
        own = {edge[0] for edge in self.told.edges}
        if sum(line.id in own for line in group) < 2:
            return ends
        number = [line.id for line in group].index(name) + 1
        return self.say("parallel", route=ends, number=number)

    def route_with_wagons(self, name: str) -> str:
        return f"{self.route(name)} ({self.told.board.route_by_id[name].length})"

    def enumerated(self, items: Sequence[str]) -> str:
        """ "a, b and c"."""
        return join_names(items, self.language)

    # --- the path ---

    def path_rows(self) -> Iterator[str]:
        trail, total = self.told.trail, 0
        if not trail.path:
            return
        names = [self.told.board.place_by_id[stop.partition(":")[0]].name for stop in trail.stops]
        width = max(map(len, names))
        yield f"         {names[0]}"
        for route, name in zip(trail.path, names[1:], strict=True):
            wagons = self.told.board.route_by_id[route].length
            total += wagons
            yield f"  + {wagons:>2} → {name:<{width}}  = {total:>2}"

    def length(self) -> str:
        if not self.told.trail.path:
            return self.say("nothing", player=self.told.name)
        wagons = self.wagons(self.told.trail.length)
        return self.say("length", player=self.told.name, wagons=wagons)

    # --- why nothing longer exists ---

    def proof(self) -> Iterator[str]:
        if not self.told.trail.path:
            return
        argument = self.told.certificate.argument
        yield from self.settled(argument) if isinstance(argument, Bounded) else self.cases(argument)
        yield self.say("verified")

    def settled(self, argument: Bounded) -> Iterator[str]:
        """The pieces, that of the path first."""
        path = set(self.told.trail.path)
        own = [ceiling for ceiling in argument.bounds if path <= set(ceiling.routes)]
        others = [ceiling for ceiling in argument.bounds if ceiling not in own]
        if others:
            yield self.say("apart", count=len(argument.bounds))
        for ceiling in own:
            yield from self.own_piece(ceiling)
        small = [ceiling for ceiling in others if not ceiling.left_out]
        if small:
            yield self.small_pieces(small)
        for ceiling in others:
            if ceiling.left_out:
                yield from self.other_piece(ceiling)

    def own_piece(self, ceiling: UpperBound) -> Iterator[str]:
        wagons = self.wagons(ceiling.wagons)
        if not ceiling.left_out:
            yield self.say("all", wagons=wagons)
            return
        yield self.say("rule")
        yield from self.pairing(ceiling)
        out = ceiling.wagons - ceiling.most
        yield self.say("reached", wagons=ceiling.wagons, out=out, most=ceiling.most)

    def small_pieces(self, bounds: Sequence[UpperBound]) -> str:
        """Pieces with too few wagons for anything longer."""
        if len(bounds) == 1:
            wagons = self.wagons(bounds[0].wagons)
            return self.say("small", route=self.route(bounds[0].routes[0]), wagons=wagons)
        sums = sorted((ceiling.wagons for ceiling in bounds), reverse=True)
        return self.say("small_ones", sums=self.enumerated([str(wagons) for wagons in sums]))

    def other_piece(self, ceiling: UpperBound) -> Iterator[str]:
        name = self.route(ceiling.routes[0])
        yield self.say("other", route=name, wagons=self.wagons(ceiling.wagons))
        yield from self.pairing(ceiling)
        out = ceiling.wagons - ceiling.most
        yield self.say("not_more", wagons=ceiling.wagons, out=out, most=ceiling.most)

    def pairing(self, ceiling: UpperBound) -> Iterator[str]:
        """Which cities are odd, which are paired, what stays unused, and that this is cheapest."""
        yield self.say(
            "odd", count=len(ceiling.odd), cities=self.enumerated(self.odd_cities(ceiling))
        )
        pairs = self.told.pairs(ceiling)
        paired = {node for pair in pairs for node in pair.nodes}
        ends = [self.place(node) for node in ceiling.odd if node not in paired]
        yield self.say(
            "pairs" if len(pairs) > 1 else "pair",
            ends=self.enumerated(ends),
            pairs="; ".join(map(self.pair, pairs)),
        )
        out = self.wagons(ceiling.wagons - ceiling.most)
        yield self.say("cheapest", ways=_ways(len(ceiling.odd)), wagons=out)

    def odd_cities(self, ceiling: UpperBound) -> list[str]:
        routes = set(ceiling.routes)
        at = [node for edge in self.told.edges if edge[0] in routes for node in edge[1:3]]
        return [f"{self.place(node)} ({at.count(node)})" for node in ceiling.odd]

    def pair(self, pair: Pair) -> str:
        a, b = map(self.place, pair.nodes)
        routes = self.enumerated([self.route_with_wagons(name) for name in pair.routes])
        return self.say("joined", a=a, b=b, routes=routes)

    # --- where cases had to be told apart ---

    def cases(self, argument: CaseSplit) -> Iterator[str]:
        count = self.told.certificate.cases
        yield self.say("rule")
        if count > MOST_CASES_TOLD:
            yield self.say("many_cases", count=count, most=self.told.trail.length)
            return
        yield self.say("cases", count=count)
        for number, (used, unused, settled) in enumerate(_cases(argument), start=1):
            conditions = [self.say("with", route=self.route(name)) for name in used]
            conditions += [self.say("without", route=self.route(name)) for name in unused]
            yield self.say(
                "case",
                number=number,
                conditions=self.enumerated(conditions),
                outcome=self.outcome(settled),
            )
        yield self.say("cases_done", most=self.told.trail.length)

    def outcome(self, settled: Bounded) -> str:
        possible = [c for c in settled.bounds if c.left_out is not None]
        if not settled.bounds:
            return self.say("impossible.apart")
        if not possible:
            return self.say("impossible.odd")
        best = max(possible, key=lambda ceiling: ceiling.most)
        if not best.left_out:
            return self.say("at_most", most=self.wagons(best.most))
        routes = self.enumerated([self.route_with_wagons(name) for name in best.left_out])
        return self.say("at_most_without", most=best.most, wagons=best.wagons, routes=routes)

    # --- the others ---

    def comparison(self) -> Iterator[str]:
        others = {name: n for name, n in self.told.lengths.items() if name != self.told.name}
        if others:
            yield self.say(
                "others", lengths=self.enumerated([f"{k} {n}" for k, n in others.items()])
            )
        if not self.told.bonus:
            yield self.say("curiosity")
            return
        longest = max(self.told.lengths.values())
        if not longest:
            yield self.say("nobody")
            return
        holders = [name for name, length in self.told.lengths.items() if length == longest]
        key = "tied" if len(holders) > 1 else "alone"
        yield self.say(key, players=self.enumerated(holders), most=longest, points=self.told.bonus)


def _cases(
    argument: Argument, used: tuple[str, ...] = (), unused: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], Bounded]]:
    """Every case: the routes it uses, those it does not, and what settles it."""
    if isinstance(argument, Bounded):
        yield used, unused, argument
        return
    yield from _cases(argument.used, (*used, argument.route), unused)
    yield from _cases(argument.unused, used, (*unused, argument.route))


def _ways(odd: int) -> int:
    """Ways to choose two ends of so many cities and to pair the others: n over 2, (n - 3)!!."""
    return comb(odd, 2) * prod(range(odd - 3, 1, -2))
