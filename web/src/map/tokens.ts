import type { ThemeName } from './types';

/** Colors of the map and its marks; the same values as the tokens of the page (ui/tokens.css), because WebGL cannot read CSS. */
export interface MapTokens {
  readonly land: string;
  readonly park: string;
  readonly water: string;
  readonly building: string;
  readonly built: string;
  readonly road: string;
  readonly road2: string;
  readonly road3: string;
  readonly motorway: string;
  readonly case: string;
  readonly path: string;
  readonly rail: string;
  readonly runway: string;
  readonly border: string;
  readonly maplabel: string;
  readonly placeLabel: string;
  readonly waterLabel: string;
  readonly halo: string;
  readonly shield: string;
  readonly shieldLine: string;
  readonly shieldInk: string;
  readonly panel: string;
  readonly ink: string;
  readonly line: string;
  readonly accent: string;
  readonly danger: string;
  readonly warn: string;
  readonly warnMark: string;
  readonly warnMarkInk: string;
  readonly warnMarkEdge: string;
  readonly scene: string;
  readonly sceneInk: string;
  readonly active: string;
  readonly activeMark: string;
  readonly activeMarkInk: string;
  readonly activeEdge: string;
  readonly standby: string;
  readonly pending: string;
  readonly offline: string;
  /** one for each asset whose trips are shown together; beside them a letter always says whose they are */
  readonly trip1: string;
  readonly trip2: string;
  readonly trip3: string;
  readonly trip4: string;
  readonly trip5: string;
  readonly tripInk: string;
}

export const TOKENS: Readonly<Record<ThemeName, MapTokens>> = {
  dark: {
    land: '#11171d',
    park: '#13201b',
    water: '#0e2233',
    building: '#171f27',
    built: '#141b22',
    road: '#222c36',
    road2: '#2a3641',
    road3: '#35424f',
    motorway: '#374553',
    case: '#0c1015',
    path: '#1c252e',
    rail: '#232c35',
    runway: '#1f2831',
    border: '#3a4857',
    maplabel: '#8b98a6',
    placeLabel: '#a7b3bf',
    waterLabel: '#5b83a6',
    halo: '#0d1116',
    shield: '#1b232c',
    shieldLine: '#4a5866',
    shieldInk: '#a7b3bf',
    panel: '#141a21',
    ink: '#e9eef3',
    line: '#26303b',
    accent: '#4c9bff',
    danger: '#ff8078',
    warn: '#ffc35c',
    warnMark: '#ffc35c',
    warnMarkInk: '#141a21',
    warnMarkEdge: '#141a21',
    scene: '#ff5f57',
    sceneInk: '#2a0503',
    active: '#ffb224',
    activeMark: '#ffb224',
    activeMarkInk: '#241500',
    activeEdge: '#1a1204',
    standby: '#52b0ff',
    pending: '#b79cff',
    offline: '#8b97a4',
    trip1: '#2cc7c0',
    trip2: '#f07ab8',
    trip3: '#a8d843',
    trip4: '#e0a070',
    trip5: '#98a8ff',
    tripInk: '#0b1016',
  },
  light: {
    land: '#f3f4f1',
    park: '#dfead8',
    water: '#c5ddee',
    building: '#e6e6e1',
    built: '#eeefeb',
    road: '#ffffff',
    road2: '#ffffff',
    road3: '#fff6dc',
    motorway: '#ffe3a8',
    case: '#d9dad4',
    path: '#e4e1d8',
    rail: '#cfcfca',
    runway: '#e2e3df',
    border: '#b3bbc4',
    maplabel: '#58626c',
    placeLabel: '#3c4651',
    waterLabel: '#3d6a8c',
    halo: '#ffffff',
    shield: '#ffffff',
    shieldLine: '#9aa5b0',
    shieldInk: '#3c4651',
    panel: '#ffffff',
    ink: '#131a21',
    line: '#e2e7ec',
    accent: '#0b62d6',
    danger: '#b8202b',
    warn: '#8a5200',
    warnMark: '#ffc02e',
    warnMarkInk: '#2b1700',
    warnMarkEdge: '#7a4300',
    scene: '#d1242f',
    sceneInk: '#ffffff',
    active: '#9a5b00',
    activeMark: '#ee9512',
    activeMarkInk: '#2b1700',
    activeEdge: '#7a4300',
    standby: '#0a63c9',
    pending: '#6f42c9',
    offline: '#5f6b77',
    trip1: '#0b7285',
    trip2: '#b5226f',
    trip3: '#3f7a10',
    trip4: '#9a4a12',
    trip5: '#4b3fc4',
    tripInk: '#ffffff',
  },
};
