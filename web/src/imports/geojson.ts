/** The endings of files of GeoJSON, also of those with a feature on each line. */
export const GEOJSON_ENDINGS = '.geojson,.json,.geojsonl,.geojsons,.geojsonseq,.ndjson,.jsonl';

export const isGeoJson = (name: string): boolean =>
  GEOJSON_ENDINGS.split(',').some(ending => name.toLowerCase().endsWith(ending));
