import { expect, it } from 'vitest';
import { fileText } from './fileText';

const said = (...bytes: number[]) => fileText(new Blob([new Uint8Array(bytes)]));

it('a file is read as it was written: UTF-8, UTF-16 with its mark, or a code page of Windows', async () => {
  expect(await said(0xef, 0xbb, 0xbf, 0x53, 0xc3, 0xbc, 0x64)).toBe('Süd');
  expect(await said(0xff, 0xfe, 0x53, 0, 0xfc, 0, 0x64, 0)).toBe('Süd');
  expect(await said(0xfe, 0xff, 0, 0x53, 0, 0xfc, 0, 0x64)).toBe('Süd');
  expect(await said(0x53, 0xfc, 0x64)).toBe('Süd');
  expect(await said(0xef, 0xbf, 0xbd)).toBe('\ufffd');
});
