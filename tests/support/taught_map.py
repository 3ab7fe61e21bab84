"""A made-up map of twenty places that no network and no file knows, and photos drawn of it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from scoring.board.board import Board, Ticket
from vision.synthetic import DrawnPhoto, Oddities, View, draw_photo
from vision.synthetic.maps import make_map

SEED = 2

PLACES = 20

VIEW = View(tilt_deg=5.0, azimuth_deg=15.0, roll_deg=-3.0, hfov_deg=60.0, fill=0.93)


@cache
def twenty_places() -> Board:
    """Part of a made-up map: twenty places and all lines between them, in one piece."""
    whole = make_map(SEED)
    chosen = [whole.routes[0].ends[0]]
    for place in chosen:
        near = [r.ends[r.ends[0] == place] for r in whole.routes if place in r.ends]
        chosen += [one for one in dict.fromkeys(near) if one not in chosen][: PLACES - len(chosen)]
    routes = tuple(route for route in whole.routes if set(route.ends) <= set(chosen))
    places = tuple(
        replace(place, name=f"Town {chr(65 + number)}")
        for number, place in enumerate(p for p in whole.places if p.id in chosen)
    )
    first, last = places[0].id, places[-1].id
    ticket = Ticket(f"{first}--{last}", (first, last), 8, "")
    return replace(whole, id="twenty", places=places, routes=routes, tickets=(ticket,))


def photo_of_map(owners: Mapping[str, str], seed: int = 1) -> DrawnPhoto:
    """The map under one camera and lamp, with these routes claimed."""
    return draw_photo(
        twenty_places(),
        owners,
        seed=seed,
        print_seed=213,
        rig_seed=313,
        camera=VIEW,
        size_px=(1600, 1200),
        oddities=Oddities.none(),
    )
