"""Constructions that captions seldom have, with their graphs: annotated rows as in written/graphs.jsonl.

    python ruleparse/tools/teach/constructions.py >constructions.jsonl

Each is a pattern with words chosen at random, always the same ones. A pattern marks objects [1 dog],
attributes <1 in red>, quantities <#1 two> and the words of predicates (1>2 chases). {KIND} is a word of a kind.
"""

import json
import random
import re
import sys

WORDS = {
    "person": "man woman boy girl child toddler teenager lady gentleman guy kid worker farmer chef waiter waitress nurse doctor soldier sailor tourist student teacher skater surfer skier climber cyclist jogger runner swimmer golfer boxer fencer wrestler drummer guitarist violinist singer clown acrobat magician fisherman gardener painter carpenter welder mechanic plumber vendor butcher baker barber tailor monk bride groom pilot referee goalkeeper pitcher catcher batter fielder cheerleader gymnast archer rider jockey lifeguard hiker camper photographer journalist librarian cashier porter diver rower".split(),
    "animal": "dog cat horse cow sheep goat pig donkey elephant zebra giraffe lion tiger bear monkey fox rabbit squirrel duck goose swan parrot owl eagle pigeon penguin seal dolphin puppy kitten pony".split(),
    "colour": "red blue green yellow orange purple pink white black gray grey brown beige turquoise crimson navy maroon teal gold silver violet khaki scarlet magenta lavender camouflage denim plaid".split(),
    "garment": "jacket|coat|hat|suit|dress|uniform|sweater|hoodie|helmet|vest|scarf|kimono|raincoat|tuxedo|gown|apron|costume|swimsuit".split("|"),
    "age": "young old elderly tall small little bearded smiling".split(),
    "acts": "juggles|curtsies|bows|waves|dances|sings|laughs|cries|yawns|stretches|kneels|crouches|squats|jogs|sprints|skips|hops|leaps|jumps|dives|swims|floats|skates|skis|surfs|sleds|climbs|rests|sleeps|naps|meditates|prays|whistles|shouts|cheers|claps|salutes|marches|strolls|wanders|limps|crawls|tumbles|spins|twirls|stumbles|paddles|kayaks|camps|fishes|works|studies|performs|plays|practices|trains|poses|smiles|blushes|shivers|trips|hikes|drums|boxes|fences|wrestles|races|cycles|trots|paces|lounges|slouches|leans|balances|hovers|hurdles|lunges".split("|"),
    "does": "throws|catches|kicks|hits|swings|holds|carries|lifts|drops|pushes|pulls|drags|opens|closes|washes|cleans|polishes|scrubs|paints|draws|sketches|carves|builds|repairs|fixes|mends|welds|hammers|saws|drills|plants|waters|picks|cuts|slices|peels|chops|stirs|pours|cooks|grills|bakes|eats|drinks|sips|tastes|sells|buys|reads|studies|checks|inspects|examines|measures|weighs|packs|unpacks|loads|unloads|rides|steers|drives|parks|tows|climbs|ties|bandages|feeds|pets|strokes|brushes|trims|shears|milks|chases|follows|leads|guards|guides|hugs|greets|photographs|films|records|watches|observes|points|serves|returns|tosses|juggles|balances|stacks|folds|irons|sews|knits|mops|sweeps|rakes|shovels|digs|models|wraps|unwraps|signs|stamps|delivers|tunes|plays|rings|aims|fires|raises|lowers|hoists|rolls|spins|shakes|squeezes|sharpens".split("|"),
    "thing": "ball|box|bag|basket|bicycle|bottle|book|bucket|camera|canoe|cart|chair|clock|cup|door|drum|fence|flag|guitar|hammer|kite|ladder|lamp|map|mirror|net|oven|package|paddle|phone|piano|pole|racket|rope|saddle|sail|scooter|shovel|skateboard|sled|stone|suitcase|surfboard|sword|table|tent|ticket|tire|torch|towel|tray|tree|trophy|trumpet|umbrella|vase|violin|wagon|wall|wheel|whistle|window|letter|newspaper|rose|pumpkin|fish|net|gate|broom|barrel|engine|statue|sculpture".split("|"),
    "place": "fountain|bench|river|lake|bridge|fence|gate|barn|church|castle|tower|station|stage|street|sidewalk|field|meadow|garden|beach|pool|pond|forest|mountain|cliff|dock|pier|market|shop|bakery|stadium|court|rink|playground|tent|campfire|statue|truck|bus|train|wall|window|tree|hill".split("|"),
    "near": "near|beside|behind|by|in front of|next to|under|above|on|across|around|past|along|through|at|inside".split("|"),
    "container": "mug cup glass bottle pitcher jug bowl pot plate tray basket jar can carton bag sack box bucket vase tin tub".split(),
    "contents": "tea coffee milk juice water lemonade wine beer soup rice pasta fruit apples oranges cookies candy popcorn nuts salad noodles sugar flour honey olives cherries grapes flowers tulips pencils coins fries cereal".split(),
    "food": "muffin sandwich croissant burger cookie bagel donut pie cake banana apple pear peach spoon fork knife napkin loaf pretzel waffle pancake taco hotdog biscuit candle lemon egg".split(),
    "bread": "pizza bread cake pie cheese ham toast lemon melon watermelon cucumber tomato salami bacon pineapple meat".split(),
    "portion": "slices pieces chunks wedges".split(),
    "one portion": "slice piece chunk wedge".split(),
    "number": "two three four five six several".split(),
    "furniture": "table|counter|desk|shelf|tray|bench|picnic table|windowsill|blanket|stool".split("|"),
    "kind": "small large big wooden round metal plastic glass shiny striped broken tall old".split(),
    "material": "wood steel glass stone brick paper silk wool cotton leather plastic straw bamboo copper marble clay sand feathers beads shells pearls leaves rope wire".split(),
    "made": "sculpture necklace bracelet wreath basket bridge hut lamp mosaic chair mask crown doll quilt table".split(),
    "state": "sleeping|resting|sitting|standing|burning|growing|drying|hanging".split("|"),
}

# Patterns with how many rows are made of each. "?" after a bracket of marks leaves it out in half of the rows.
PATTERNS = [
    (260, "a <1 {age}>? [1 {person}] <1 in {colour}> (1>2 {does}) a <2 {kind}>? [2 {thing}]"),
    (60, "the <1 {age}>? [1 {person}] <1 in {colour}> (1>2 {does}) the <2 {colour}>? [2 {thing}]"),
    (220, "a <1 {age}>? [1 {person}] <1 in {colour}> (1>2 {acts} {near}) a <2 {kind}>? [2 {place}]"),
    (70, "a <1 {age}>? [1 {person}] <1 in {colour}> <1 {acts}>"),
    (60, "a [1 {person}] <1 in {colour} and {colour}> (1>2 {does}) a [2 {thing}]"),
    (60, "a [1 {person}] <1 dressed in {colour}> (1>2 {acts} {near}) the [2 {place}]"),
    (80, "a <1 {age}>? [1 {person}] (1>2 in) a <2 {colour}>? [2 {garment}] (1>3 {does}) a <3 {kind}>? [3 {thing}]"),
    (60, "a <1 {age}>? [1 {person}] (1>2 in) a <2 {colour}> [2 {garment}] (1>3 {acts} {near}) a [3 {place}]"),
    (40, "a [1 {person}] <1 in {colour}> (1>3 {does}) a [3 {thing}] (1>4 {near}) a [4 {place}]"),
    (60, "a [1 {person}] <1 in {colour}> and a [2 {person}] <2 in {colour}> (1,2>3 {near}) a [3 {place}]"),
    (120, "a <1 {kind}>? [1 {container}] (1>2 of) [2 {contents}] and a <3 {kind}>? [3 {food}]"),
    (80, "a [1 {container}] (1>2 of) [2 {contents}] and a [3 {food}] (1,3>4 on) a <4 {kind}>? [4 {furniture}]"),
    (50, "<#1 {number}> [1 {container}s] (1>2 of) [2 {contents}] and a [3 {food}]"),
    (40, "a [1 {container}] (1>2 of) [2 {contents}], a [3 {food}] and a [4 {food}] (1,3,4>5 on) a [5 {furniture}]"),
    (80, "<#1 {number} {portion} of> [1 {bread}] (1>2 on) a <2 {kind}>? [2 {furniture}]"),
    (60, "<#1 {number} {portion} of> [1 {bread}] and a [2 {food}]"),
    (60, "<#1 a {one portion} of> [1 {bread}] and a [2 {food}] (1,2>3 on) a [3 {furniture}]"),
    (60, "a [1 {person}] (1>2 {does}) <#2 a {one portion} of> [2 {bread}]"),
    (60, "a <1 {kind}>? [1 {furniture}] (2>1 on) which there is a <2 {colour}>? [2 {thing}]"),
    (40, "a <1 {kind}> [1 {place}] (2>1 in) which a <2 {colour}> [2 {animal}] is <2 {state}>"),
    (60, "a <1 {kind}>? [1 {made}] (1>2 (1>3 (1>4 made of)) [2 {material}], [3 {material}] and [4 {material}]"),
    (40, "a [1 {made}] (1>2 (1>3 made of)) [2 {material}] and [3 {material}] (1>4 on) a [4 {furniture}]"),
    (140, "a <1 {age}>? [1 {person}] (1>2 {does}) a <2 {kind}>? [2 {thing}]"),
    (100, "a <1 {colour}>? [1 {animal}] (1>2 {acts} {near}) a <2 {kind}>? [2 {place}]"),
    (60, "a [1 {person}] (1>2 {does}) a [2 {thing}] while a [3 {person}] (3>4 {does}) a [4 {thing}]"),
    (40, "a [1 {person}] and a [2 {person}] <1,2 in {colour}> (1,2>3 near) a [3 {place}]"),
    (40, "a <1 {colour}> [1 {thing}] and a <2 {colour}> [2 {thing}] (1,2>3 {near}) a [3 {place}]"),
]


class Row:
    """An annotated caption that is written from left to right."""

    def __init__(self):
        self.text, self.objects, self.relations, self.pending = "", {}, {}, []

    def object(self, n):
        return self.objects.setdefault(n, dict(name="", begin=0, end=0, quantity={}, attributes=[]))

    def write(self, words):
        begin = len(self.text)
        self.text += words
        return dict(text=words, begin=begin, end=len(self.text))

    def marked(self):
        order = sorted(self.objects, key=lambda n: self.objects[n]["begin"])
        place = {n: i for i, n in enumerate(order)}
        relations = [dict(subject=place[s], object=place[o], predicate=" ".join(w for w, _ in r), words=[b for _, b in r]) for (s, o), r in self.relations.items()]
        return dict(source="made", text=self.text, objects=[self.objects[n] for n in order], relations=relations)


def make(pattern, rng):
    """Returns a row of a pattern."""
    pattern = re.sub(r"<[^<>]*>\? ", lambda m: m[0][:-2] + " " if rng.random() < 0.5 else "", pattern)
    used = {}
    def choose(m):
        options = [w for w in WORDS[m[1]] if w not in used.setdefault(m[1], [])]
        used[m[1]].append(rng.choice(options))
        return used[m[1]][-1]
    pattern = re.sub(r"\{([a-z ]+)\}", choose, pattern)
    pattern = re.sub(r"\b(glass|box)s\]", r"\1es]", pattern)
    # An article sees the word after the marks.
    pattern = re.sub(r"\b(a)(?= (?:[<\[(][#\d,>]+ ?)*[aeiou])", r"\1n", pattern)
    row = Row()
    for part in re.finditer(r"<(#?)([\d,]+) ([^<>]*)>|\[(\d) ([^\]]*)\]|\(((?:[\d,]+>\d \(?)+)([^()]*)\)+|[^<\[(]+", pattern):
        quantity, owners, attribute, n, name, pairs, predicate = part.groups()
        if n:
            w = row.write(name)
            row.object(int(n)).update(name=name, begin=w["begin"], end=w["end"])
        elif owners:
            w = row.write(attribute)
            for o in map(int, owners.split(",")):
                if quantity:
                    row.object(o)["quantity"] = w
                else:
                    whole = row.object(o)
                    form = "pre" if not whole["name"] else "post"
                    words = [w]
                    if attribute.startswith("in ") and " and " in attribute:
                        first = attribute.index(" and ")
                        words = [dict(text=attribute[:first], begin=w["begin"], end=w["begin"] + first), dict(text=attribute[first + 5 :], begin=w["begin"] + first + 5, end=w["end"])]
                    whole["attributes"] += [dict(x, form=form) for x in words]
        elif pairs:
            w = row.write(predicate)
            said = [(m[0], w["begin"] + m.start()) for m in re.finditer(r"\S+", predicate)]
            for subjects, o in re.findall(r"([\d,]+)>(\d)", pairs):
                for s in map(int, subjects.split(",")):
                    row.relations[s, int(o)] = said
        else:
            row.write(part[0])
    return row.marked()


def make_rows():
    rng = random.Random(20261128)
    return [make(pattern, rng) for count, pattern in PATTERNS for _ in range(count)]


if __name__ == "__main__":
    for row in make_rows():
        json.dump(row, sys.stdout)
        print()
