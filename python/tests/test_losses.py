"""Each loss against its formula in notes' plain sums, in float64, on the batches where such losses break."""
import math

import capgraph_torch as cg
import pytest
import torch

torch.manual_seed(0)
SCALE = 5.0


def cosine(a, b):
    a, b = a.detach(), b.detach()
    return float(torch.dot(a, b) / a.norm() / b.norm())


def lse(values):
    most = max(values)
    return most + math.log(sum(math.exp(v - most) for v in values))


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def mosaiclip(image, text, true, m):
    """½ (1/n Σ_i [LSE_j S_ij − mean_{k∈P(i)} S_ik] + 1/m Σ_j [LSE_i S_ij − mean_{i∈Q(j)} S_ij])"""
    n = len(image)
    s = [[SCALE * cosine(u, v) for v in text] for u in image]
    i2t = [lse([s[i][j] for j in range(len(text)) if j < m or not true[i][j]]) - mean(s[i][k] for k in range(m) if true[i][k]) for i in range(n)]
    t2i = [lse([s[i][j] for i in range(n)]) - mean(s[i][j] for i in range(n) if true[i][j]) for j in range(m)]
    return (mean(i2t) + mean(t2i)) / 2


def mosaiclip_apart(image, text, true, m):
    """½ (mean_i mean_{p∈P(i)} + mean_j mean_{i∈Q(j)}) of −log of a positive's share among itself and the negatives."""
    n = len(image)
    s = [[SCALE * cosine(u, v) for v in text] for u in image]
    i2t = [mean(lse([s[i][p]] + [s[i][j] for j in range(len(text)) if not true[i][j]]) - s[i][p] for p in range(m) if true[i][p]) for i in range(n)]
    t2i = [mean(lse([s[i][j]] + [s[o][j] for o in range(n) if not true[o][j]]) - s[i][j] for i in range(n) if true[i][j]) for j in range(m)]
    return (mean(i2t) + mean(t2i)) / 2


def csclip(image, text, true, m, of, image_of):
    """Unit k of an image among the k-th units of the others and its own foil, both ways; a mean over units."""
    s = [[SCALE * cosine(u, v) for v in text] for u in image]
    slots = {}
    for i in range(len(image)):
        k = 0
        for j in [j for j in range(m) if image_of[j] == i][1:]:
            foils = [m + f for f, p in enumerate(of) if p == j and not true[i][m + f]]
            if foils:
                slots.setdefault(k, []).append((i, j, foils[0]))
                k += 1
    terms = []
    for units in slots.values():
        for i, j, foil in units:
            terms.append(lse([s[i][j], s[i][foil]] + [s[i][q] for _, q, _ in units if q != j and not true[i][q]]) - s[i][j])
            terms.append(lse([s[i][j]] + [s[o][j] for o, _, _ in units if o != i and not true[o][j]]) - s[i][j])
    return mean(terms) if terms else 0


def negclip(image, text):
    n = len(image)
    s = [[SCALE * cosine(u, v) for v in text] for u in image]
    return (mean(lse(s[i]) - s[i][i] for i in range(n)) + mean(lse([s[i][j] for i in range(n)]) - s[j][j] for j in range(n))) / 2


def ceclip(image, text, of, kind, threshold, sibling=None, alpha=0.2, beta=0.4):
    n, loss = len(image), negclip(image, text)
    if not of:
        return loss
    imc = []
    for i in range(n):
        own = [SCALE * cosine(text[i], text[n + k]) for k, p in enumerate(of) if p == i]
        if own and sibling is not None:
            anchor = SCALE * cosine(text[i], sibling[i])
            imc.append(lse([anchor] + own) - anchor)
        elif own:
            imc.append(lse(own))
    cmr = [max(0, SCALE * (cosine(image[p], text[n + k]) - cosine(image[p], text[p])) + threshold[kind[k]]) for k, p in enumerate(of)]
    return loss + alpha * mean(imc) + beta * mean(cmr)


def features(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def same_text(true, m, a, b):
    true = [row[:] for row in true]
    for i in range(len(true)):
        true[i][a] = true[i][b] = true[i][a] or true[i][b]
    return true


def own(n, per, negatives):
    """Image i's own positives are true of it, negatives of no image."""
    return [[j // per == i for j in range(n * per)] + [False] * negatives for i in range(n)]


BATCHES = {  # name: n, m, r, what is true
    "three positives, six negatives": (4, 12, 24, own(4, 3, 24)),
    "no negatives at all": (3, 3, 0, own(3, 1, 0)),
    "two images with the same text": (4, 8, 5, same_text(own(4, 2, 5), 8, 1, 5)),
    "every image with the same text": (3, 3, 3, [[True] * 3 + [False] * 3] * 3),
    "a negative that is true of one image": (3, 3, 3, [row[:4] + [i == 1] + row[5:] for i, row in enumerate(own(3, 1, 3))]),
    "one image": (1, 3, 6, own(1, 3, 6)),
    "one image, one text": (1, 1, 0, own(1, 1, 0)),
}


@pytest.mark.parametrize("name", BATCHES)
def test_mosaiclip(name):
    n, m, r, true = BATCHES[name]
    image, text, mask = features(n, 6), features(m + r, 6), torch.tensor(true)
    assert cg.mosaiclip(image, text, SCALE, mask, m).item() == pytest.approx(mosaiclip(image.detach(), text.detach(), true, m), rel=1e-12)
    assert torch.autograd.gradcheck(lambda u, v, s: cg.mosaiclip(u, v, s, mask, m), (image, text, torch.tensor(SCALE, dtype=torch.float64, requires_grad=True)))


@pytest.mark.parametrize("name", BATCHES)
def test_positives_apart(name):
    n, m, r, true = BATCHES[name]
    image, text, mask = features(n, 6), features(m + r, 6), torch.tensor(true)
    assert cg.mosaiclip(image, text, SCALE, mask, m, "apart").item() == pytest.approx(mosaiclip_apart(image, text, true, m), rel=1e-12, abs=1e-12)
    assert torch.autograd.gradcheck(lambda u, v: cg.mosaiclip(u, v, SCALE, mask, m, "apart"), (image, text))


@pytest.mark.parametrize("name", BATCHES)
def test_positives_by_a_sigmoid(name):
    n, m, r, true = BATCHES[name]
    image, text, mask = features(n, 6), features(m + r, 6), torch.tensor(true)
    bias = torch.tensor(-2.0, dtype=torch.float64, requires_grad=True)
    want = mean(sum(math.log1p(math.exp((SCALE * cosine(u, v) - 2) * (-1 if true[i][j] else 1)))
                    for j, v in enumerate(text) if j < m or not true[i][j]) for i, u in enumerate(image))
    assert cg.mosaiclip(image, text, SCALE, mask, m, "sigmoid", bias).item() == pytest.approx(want, rel=1e-12)
    assert torch.autograd.gradcheck(lambda u, v, b: cg.mosaiclip(u, v, SCALE, mask, m, "sigmoid", b), (image, text, bias))
    with pytest.raises(ValueError, match="needs one"):
        cg.mosaiclip(image, text, SCALE, mask, m, "sigmoid")


def test_the_least_of_positives_apart_is_0():
    """Two texts that are equally near their image cost nothing: they do not compete. A wrong word is an error."""
    image, text = torch.eye(2, dtype=torch.float64), torch.tensor([[1.0, 0], [1.0, 0], [0, 1.0]], dtype=torch.float64)
    true = torch.tensor([[True, True, False], [False, False, True]])
    assert float(cg.mosaiclip(image, text, 200.0, true, 3, "apart")) == pytest.approx(0, abs=1e-9)
    with pytest.raises(ValueError, match="together, apart or sigmoid"):
        cg.mosaiclip(image, text, 200.0, true, 3, "alone")


@pytest.mark.parametrize("n,r", [(4, 4), (4, 2), (3, 0), (1, 1), (1, 0)])
def test_negclip(n, r):
    image, text = features(n, 6), features(n + r, 6)
    assert cg.negclip(image, text, SCALE).item() == pytest.approx(negclip(image.detach(), text.detach()), rel=1e-12)
    assert torch.autograd.gradcheck(lambda u, v: cg.negclip(u, v, SCALE), (image, text))


UNITS = {  # name: n, the image of each positive, the positive of each negative, what else is true (image, text)
    "two and three units": (3, [0, 0, 0, 1, 1, 1, 1, 2], [1, 2, 4, 5, 6, 6, 0], []),
    "a foil that is true": (2, [0, 0, 1, 1], [1, 1, 3], [(0, 4)]),
    "a unit of another image": (2, [0, 0, 1, 1], [1, 3], [(1, 1)]),
    "units without foils": (2, [0, 0, 1, 1], [], []),
    "one image": (1, [0, 0], [1], []),
}


@pytest.mark.parametrize("name", UNITS)
def test_csclip(name):
    n, image_of, of, more = UNITS[name]
    m = len(image_of)
    true = [[j < m and image_of[j] == i or (i, j) in more for j in range(m + len(of))] for i in range(n)]
    image, text = features(n, 6), features(m + len(of), 6)
    batch = torch.tensor(true), m, torch.tensor(of).long(), torch.tensor(image_of)
    assert cg.csclip(image, text, SCALE, *batch).item() == pytest.approx(csclip(image, text, true, m, of, image_of), rel=1e-12)
    assert torch.autograd.gradcheck(lambda u, v: cg.csclip(u, v, SCALE, *batch), (image, text))


@pytest.mark.parametrize("name", UNITS)
def test_c2lip(name):
    n, image_of, of, more = UNITS[name]
    m = len(image_of)
    true = torch.tensor([[j < m and image_of[j] == i or (i, j) in more for j in range(m + len(of))] for i in range(n)])
    image, text = features(n, 6), features(m + len(of), 6)
    phrases = [j for j in range(m) if image_of[j] in image_of[:j]]
    terms = [math.log1p(math.exp((SCALE * cosine(image[i], text[j]) - 4) * (-1 if true[i, j] else 1))) for i in range(n) for j in phrases]
    loss = lambda u, v: cg.c2lip(u, v, SCALE, -4.0, true, m, torch.tensor(image_of))
    assert loss(image, text).item() == pytest.approx(sum(terms) / len(phrases), rel=1e-12)
    assert torch.autograd.gradcheck(loss, (image, text))


@pytest.mark.parametrize("name", UNITS)
def test_c2lip_of_patches(name):
    n, image_of, of, more = UNITS[name]
    m = len(image_of)
    true = torch.tensor([[j < m and image_of[j] == i or (i, j) in more for j in range(m + len(of))] for i in range(n)])
    image, text, patches = features(n, 6), features(m + len(of), 6), features(n * 3, 6)
    phrases = [j for j in range(m) if image_of[j] in image_of[:j]]

    def attended(i, j):
        rows = [x / x.norm() for x in patches[3 * i:3 * i + 3]]
        shares = [math.exp(cosine(x, text[j])) for x in rows]
        return SCALE * cosine(sum(s * x for s, x in zip(shares, rows)), text[j])

    terms = [math.log1p(math.exp((attended(i, j) - 4) * (-1 if true[i, j] else 1))) for i in range(n) for j in phrases]
    loss = lambda u, v, x: cg.c2lip(u, v, SCALE, -4.0, true, m, torch.tensor(image_of), x.reshape(n, 3, 6), 0.25)
    whole = cg.c2lip(image, text, SCALE, -4.0, true, m, torch.tensor(image_of))
    assert loss(image, text, patches).item() == pytest.approx(whole.item() + 0.25 * sum(terms) / len(phrases), rel=1e-12)
    assert torch.autograd.gradcheck(loss, (image, text, patches))


def test_c2lip_without_phrases():
    assert cg.c2lip(features(2, 6), features(2, 6), SCALE, -4.0, torch.eye(2).bool(), 2, torch.tensor([0, 1])).item() == 0


@pytest.mark.parametrize("n", [0, 1, 3])
def test_readclip(n):
    text, other = features(n, 6), features(n, 6)
    same = torch.zeros(n, n).bool()
    same[:2, :2] = True  # the first two pairs say the same
    s = [[SCALE * cosine(u, v) for v in other] for u in text]
    terms = [lse([s[k][l] for l in range(n) if k == l or not same[k, l]]) - s[k][k] for k in range(n)]
    assert cg.readclip(text, other, SCALE, same).item() == pytest.approx(mean(terms) if n else 0, abs=1e-12)
    if n:
        assert torch.autograd.gradcheck(lambda a, b: cg.readclip(a, b, SCALE, same), (text, other))


CE_BATCHES = {  # name: n, of, kind
    "four each": (3, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2], [0, 1, 2, 3] * 3),
    "a caption without any": (3, [0, 0, 2, 2], [0, 1, 0, 3]),
    "one type missing in the batch": (2, [0, 0, 1, 1], [0, 1, 0, 3]),
    "no negatives at all": (3, [], []),
    "one image": (1, [0, 0], [1, 3]),
}


@pytest.mark.parametrize("anchored", [False, True])
@pytest.mark.parametrize("name", CE_BATCHES)
def test_ceclip(name, anchored):
    n, of, kind = CE_BATCHES[name]
    loss = cg.CEClip().eval()
    loss.threshold[:] = torch.tensor([2.0, 0.5, 9.0, 0.0])
    image, text, sibling = features(n, 6), features(n + len(of), 6), features(n, 6) if anchored else None
    where = torch.tensor(of).long(), torch.tensor(kind).long()
    want = ceclip(image.detach(), text.detach(), of, kind, loss.threshold.tolist(), sibling)
    assert loss(image, text, SCALE, *where, sibling).item() == pytest.approx(want, rel=1e-12)
    assert torch.autograd.gradcheck(lambda u, v: loss(u, v, SCALE, *where, sibling), (image, text))


def test_ceclip_thresholds_follow_the_step_before():
    loss = cg.CEClip(most=1.5)
    loss.threshold[:] = torch.tensor([0.1, 0.2, 0.3, 0.4])
    image = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    text = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    of, kind = torch.tensor([0, 1, 1, 0]), torch.tensor([1, 1, 0, 3])
    before = float(loss.eval()(image, text, SCALE, of, kind))
    assert float(loss.train()(image, text, SCALE, of, kind)) == before  # this step still uses those of the step before
    gap = 5 * (1 - 1 / math.sqrt(2))
    # order: the negative is as near as its caption, 0; attribute: the mean of gap and 0; action: no row, unchanged; object: 5, clipped
    assert loss.threshold.tolist() == pytest.approx([0.0, gap / 2, 0.3, 1.5])
    again = cg.CEClip()
    again.load_state_dict(loss.state_dict())
    assert again.threshold.tolist() == loss.threshold.tolist()
    loss(image, text[:2], SCALE, of[:0], kind[:0])
    assert again.threshold.tolist() == loss.threshold.tolist()  # no negatives, nothing to learn a threshold from


@pytest.mark.parametrize("of", [[0, 0, 0, 1, 3, 3], [2], []])
@pytest.mark.parametrize("focal, smoothing", [(0, 0), (0, 0.1), (1, 0), (2, 0.02), (2.5, 0.5)])
def test_fscclip(of, focal, smoothing):
    image, text = features(4, 6), features(4 + len(of), 6)
    terms = []
    for i in sorted(set(of)):
        s = [SCALE * cosine(image[i], text[j]) for j in [i, *(4 + k for k in range(len(of)) if of[k] == i)]]
        logs = [v - lse(s) for v in s]
        terms.append(sum(-(smoothing / len(s) + (1 - smoothing) * (k == 0)) * (1 - math.exp(v)) ** focal * v for k, v in enumerate(logs)))
    loss = lambda u, v: cg.fscclip(u, v, SCALE, torch.tensor(of, dtype=torch.long), focal, smoothing)
    assert loss(image, text).item() == pytest.approx(mean(terms) if of else 0, abs=1e-12)
    assert torch.autograd.gradcheck(loss, (image, text))


def test_fscclip_of_tokens():
    """Three texts of one image: its caption and two negatives, the second of one token; tokens that are not there are nothing."""
    patches, tokens = features(2 * 3, 6).reshape(2, 3, 6), features(4 * 4, 6).reshape(4, 4, 6)
    there = torch.tensor([[0, 1, 1, 1], [0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 0]]).bool()

    def aligned(j):
        logits = []
        for v in (tokens[j, k] for k in range(4) if there[j, k]):
            near = [x.item() - s.min().item() for s in [patches[0] @ v] for x in s]
            logits.append(SCALE * cosine(sum(a * x for a, x in zip(near, patches[0])), v))
        return lse(logits)

    s = [aligned(j) for j in (0, 2, 3)]
    want = sum(-(0.1 / 3 + 0.9 * (k == 0)) * (1 - math.exp(v - lse(s))) ** 2 * (v - lse(s)) for k, v in enumerate(s))
    of = torch.tensor([0, 0])
    assert cg.fscclip_local(patches, tokens, there, SCALE, of, 2, 0.1).item() == pytest.approx(want, rel=1e-12)
    assert torch.isfinite(cg.fscclip_local(torch.ones(2, 3, 6, dtype=torch.float64), tokens, there, SCALE, of, 2, 0.1))  # patches that are all as near


def test_the_logits_are_float32_under_autocast():
    image, text = torch.randn(8, 64), torch.randn(16, 64)
    true = torch.eye(8, 16, dtype=torch.bool)
    want = cg.mosaiclip(image, text, 100.0, true, 8)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        got = cg.mosaiclip(image, text, 100.0, true, 8)
    assert got.dtype == torch.float32 and float(got) == pytest.approx(float(want), rel=1e-6)
    half = cg.mosaiclip(image.bfloat16(), text.bfloat16(), 100.0, true, 8)
    assert half.dtype == torch.float32


def test_the_least_of_i2t_is_mean_log_positives():
    """Two texts that say the image and are equally near cost log 2; one costs nothing."""
    image, text = torch.eye(2, dtype=torch.float64), torch.tensor([[1.0, 0], [1.0, 0], [0, 1.0]], dtype=torch.float64)
    true = torch.tensor([[True, True, False], [False, False, True]])
    assert float(cg.mosaiclip(image, text, 200.0, true, 3)) == pytest.approx((math.log(2) + 0) / 2 / 2, abs=1e-9)
