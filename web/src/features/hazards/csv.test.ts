import { describe, expect, it } from 'vitest';
import { guessColumns, guessTimeFormat, guessType, readCsv, wordsOf } from './csv';

describe('a CSV file', () => {
  it('is read with its quotes, and the line breaks and commas within them', () => {
    const text = '\ufeffid,"a ""b"", c",note\r\n1,"x,\ny",\n\n2,z,"last"';
    expect(readCsv(text, 10)).toEqual([
      ['id', 'a "b", c', 'note'],
      ['1', 'x,\ny', ''],
      ['2', 'z', 'last'],
    ]);
    expect(readCsv(text, 1)).toHaveLength(1);
    expect(readCsv('', 5)).toEqual([]);
  });

  it.each([
    ['semicolons', 'id;lat;note, if any\n1;39,7;"a;b"'],
    ['tabs', 'id\tlat\tnote, if any\n1\t39,7\ta;b'],
    ["Excel's own word", '\ufeffsep=;\r\nid;lat;note, if any\r\n1;39,7;"a;b"'],
  ])('has its cells apart by %s as well', (_, text) => {
    expect(readCsv(text, 10)).toEqual([
      ['id', 'lat', 'note, if any'],
      ['1', '39,7', 'a;b'],
    ]);
  });

  it('has its columns guessed by their names, none of them twice', () => {
    expect(
      guessColumns(['Event ID', 'LATITUDE', 'Lon', 'Hazard Type', 'Comment', 'Created_At', 'Last Updated']),
    ).toEqual({
      id: 'Event ID',
      lat: 'LATITUDE',
      lng: 'Lon',
      type: 'Hazard Type',
      description: 'Comment',
      start: 'Created_At',
      updated: 'Last Updated',
    });
    expect(guessColumns(['foo', ''])).toEqual({
      id: '',
      lat: '',
      lng: '',
      type: '',
      description: '',
      start: '',
      updated: '',
    });
    const { type, start } = guessColumns(['incident_category_name', 'start_time_utc', 'id']);
    expect({ type, start }).toEqual({ type: 'incident_category_name', start: 'start_time_utc' });
  });

  it('has the words of its type column guessed, and the rest is other', () => {
    const rows = readCsv('id,kind\n1,Stopped Traffic\n2,CRASH\n3,Car crash\n4,\n5,Alien\n6,CRASH', 100);
    const words = wordsOf(rows, 'kind', 30);
    expect(words).toEqual(['Stopped Traffic', 'CRASH', 'Car crash', 'Alien']);
    expect(words.map(guessType)).toEqual(['stopped_traffic', 'crash', 'crash', 'other']);
    expect(wordsOf(rows, 'none', 30)).toEqual([]);
  });

  it('has no type guessed by a part of a word, or by half of its words', () => {
    const words = [
      'Police activity',
      'Traffic incident',
      'Service vehicle',
      'Traffic signal outage',
      'Two vehicle crash',
    ];
    expect(words.map(guessType)).toEqual(['other', 'other', 'other', 'signal_out', 'crash']);
  });

  it.each([
    ['iso', []],
    ['iso', ['2026-11-25T04:00:00Z']],
    ['iso', ['yesterday']],
    ['unix', ['1795578573']],
    ['unix_ms', ['1795578573000']],
    ['yyyy/M/d h:mm:ss a', ['2024/03/31 06:55:38 PM', '2024/03/31 07:05:00 PM']],
    ['M/d/yyyy h:mm a', ['3/5/2026 6:55 PM', '3/12/2026 6:55 AM']],
    ['d/M/yyyy HH:mm', ['03/05/2026 18:55', '13/05/2026 18:55']],
    ['d.M.yy', ['31.03.26']],
  ])('writes times as %s: %j', (format, times) => {
    expect(guessTimeFormat(times)).toBe(format);
  });
});
