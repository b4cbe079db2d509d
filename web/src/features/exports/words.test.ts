import enums from '@catalog/enums.json';
import { expect, it } from 'vitest';
import { formatsOf, formatTitle, sheetsText } from './words';

it('offers every format of the catalog, those of positions for points alone', () => {
  const ids = (type: 'point' | 'closure') => formatsOf(type).map(({ id }) => id);
  expect(ids('closure')).toEqual(enums.exportFormats);
  expect(ids('point')).toEqual([...enums.exportFormats, ...enums.pointFormats]);
  expect(formatTitle('xlsx')).toBe('Excel');
});

it('says before when a sheet is too short', () => {
  expect(sheetsText(1_048_575)).toBe('');
  expect(sheetsText(1_048_576)).toBe('An Excel sheet holds 1,048,575 rows. The workbook will have 2 sheets.');
});
