import enums from '@catalog/enums.json';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { thingTypeName } from '~/model/thingType';
import { GLYPHS } from './marks';
import { StatusMark } from './StatusMark';
import type { MarkType } from './types';

// spec: 1.type.01
it('every type of the catalog, and one that it does not know, has a mark with a glyph of its own', () => {
  const glyphs = enums.thingTypes.map(type => {
    const name = thingTypeName(type.id) as MarkType;
    expect(name).toBe(type.name);
    expect(renderToStaticMarkup(<StatusMark status="STANDBY" type={name} />)).toContain(GLYPHS[name]);
    return GLYPHS[name];
  });
  expect(new Set(glyphs).size).toBe(9);
  expect(thingTypeName('01900000-0000-7000-8000-1000000000ff')).toBe('other');
});
