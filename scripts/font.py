#!/usr/bin/env python3
# Makes the two fonts of printed reports out of those that the web app ships: Inter in a weight, with Latin letters, figures of
# one width, and a box for letters that it lacks. Needs fonttools and brotli. Run after an update of Fontsource's Inter.
# Beside them lies letters.txt: which letters they have, as ranges.
#   scripts/font.py
import os, tempfile
from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont, newTable
from fontTools.varLib import instancer

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
source = os.path.join(root, 'web/node_modules/@fontsource-variable/inter/files/inter-%s-wght-normal.woff2')
target = os.path.join(root, 'internal/file/font/Inter-%s.ttf')
BOX = 0x25A1


def tabular(font):
    """The glyphs that stand for others where figures have one width."""
    table, out = font['GSUB'].table, {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == 'tnum':
            for i in record.Feature.LookupListIndex:
                for sub in table.LookupList.Lookup[i].SubTable:
                    out.update(getattr(getattr(sub, 'ExtSubTable', sub), 'mapping', {}))
    return out


for name, weight in (('Regular', 400), ('SemiBold', 600)):
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        for part in ('latin', 'latin-ext', 'vietnamese'):
            font = TTFont(source % part)
            font.flavor = None
            made = font['head'].created
            font = instancer.instantiateVariableFont(font, {'wght': weight})
            figures = tabular(font) if 'GSUB' in font else {}
            for table in font['cmap'].tables:
                for code in range(ord('0'), ord('9') + 1):
                    if table.cmap.get(code) in figures:
                        table.cmap[code] = figures[table.cmap[code]]
            if part == 'latin':
                glyphs = font.getGlyphOrder()
                font['glyf']['box'] = font['glyf']['.notdef']
                font['hmtx']['box'] = font['hmtx']['.notdef']
                font.setGlyphOrder(list(dict.fromkeys(glyphs + ['box'])))
                for table in font['cmap'].tables:
                    table.cmap[BOX] = 'box'
            for tag in ('GSUB', 'GPOS', 'GDEF', 'STAT', 'HVAR', 'MVAR', 'avar'):
                if tag in font:
                    del font[tag]
            parts.append(os.path.join(folder, part + '.ttf'))
            font.save(parts[-1])
        font = Merger().merge(parts)
    options = subset.Options()
    options.layout_features, options.hinting, options.notdef_outline = [], False, True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap().keys())
    subsetter.subset(font)
    font['name'].setName('Inter', 1, 3, 1, 0x409)
    font['name'].setName(name, 2, 3, 1, 0x409)
    font['OS/2'].usWeightClass = weight
    font['head'].created = font['head'].modified = made
    font.recalcTimestamp = False
    font.save(target % name)
    if name == 'Regular':
        codes = sorted(c for c in font.getBestCmap() if 32 <= c < 65536)
        ends = [i for i, c in enumerate(codes) if i == 0 or codes[i - 1] != c - 1] + [len(codes)]
        with open(target.replace('Inter-%s.ttf', 'letters.txt'), 'w') as out:
            out.writelines('%x-%x\n' % (codes[a], codes[b - 1]) for a, b in zip(ends, ends[1:]))
    print(name, len(font.getBestCmap()), 'letters,', os.path.getsize(target % name), 'bytes')
