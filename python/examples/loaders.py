"""What the loaders of NegCLIP, FSC-CLIP and CLIC give of a batch of captions, without spaCy: python loaders.py."""
import capgraph

CAPTIONS = ["a man in a red shirt holding a dog", "a brown horse in a green field", "two small boys beside a white car", "a black cat under a wooden table"]


def negclip(captions):
    """For each caption one negative, or None: a caption of the image in which two things are swapped."""
    texts = capgraph.texts(captions, negatives={"methods": ["swap_nouns", "swap_adjectives", "swap_noun_phrases", "fill_object", "fill_attribute"]})
    own = [[n.text for n in row.negatives if n.of == 0] for row in texts]
    return [negatives[0] if negatives else None for negatives in own]


def fscclip(captions, k=3):
    """For each caption at most k negatives of it, which the local and focal losses weigh."""
    texts = capgraph.texts(captions, negatives={"methods": ["all"]})
    own = [[n.text for n in row.negatives if n.of == 0] for row in texts]
    return [negatives[:k] for negatives in own]


def clic(captions):
    """For each caption and the next: both sentences, both in the other order, and a negative with nouns of the two swapped, or None."""
    nouns = [next((u.text for u in units or [] if u.kind == "noun"), None) for units in capgraph.units(captions)]
    pairs = zip(captions, captions[1:] + captions[:1], nouns, nouns[1:] + nouns[:1])
    return [(f"{a}. {b}", f"{b}. {a}", f"{a.replace(x, y, 1)}. {b.replace(y, x, 1)}" if x and y and x != y else None) for a, b, x, y in pairs]


if __name__ == "__main__":
    for loader in (negclip, fscclip, clic):
        for caption, texts in zip(CAPTIONS, loader(CAPTIONS)):
            print(loader.__name__, caption, repr(texts), sep="\t")
