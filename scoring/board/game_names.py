"""How games are called: by their titles instead of ids, in every language."""

from scoring.language import Message, has_text


def game_name(game: str, title: str = "") -> Message | str:
    """The game's name in the language of the sentence; `title` is what its file calls it.

    A file that gives a title of its own is called by that.

    >>> str(game_name("france")), game_name("our-own-map"), game_name("usa", "USA, our print")
    ('Ticket to Ride France', 'our-own-map', 'USA, our print')
    """
    if not has_text(f"scoring.sheet.game.{game}"):
        return title or game
    known = Message(f"scoring.sheet.game.{game}")
    return known if title in ("", known.text()) else title


def game_title(game: str, title: str, language: str) -> str:
    """The game's name in a language, as `game_name` gives it.

    >>> game_title("germany", "Ticket to Ride Germany", "it")
    'Ticket to Ride Germania'
    """
    name = game_name(game, title)
    return name.text(language) if isinstance(name, Message) else name
