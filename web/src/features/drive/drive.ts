import limits from '@catalog/limits.json';
import { createClock } from '~/lib/clock';
import { createStore, type Store } from '~/lib/store';
import { type Ahead, type Announced, aheadOf, withAnnounced, wordOf } from '~/model/ahead';
import { spoken } from '~/model/aheadWords';
import type { SpeedUnit } from '~/model/speedUnit';
import { advance, type Fix, type Track } from '~/model/track';
import type { AlertSource } from './alertSource';
import { type Connection, Follower } from './follow';
import { Impressions } from './impressions';
import { type Trouble, watchPosition } from './position';
import { Voice } from './voice';
import { keepAwake } from './wakeLock';

const NO_POSITION_MS = limits.drive.noPositionMs.value;
const TICK_MS = 500;

/** What the page may say of itself; only `live` means that nothing is missing. */
export type DriveState = 'live' | 'connecting' | 'missing' | 'noPosition' | 'refused';

export interface Shown {
  readonly standing: DriveState;
  readonly trouble: Trouble | undefined;
  readonly list: readonly Ahead[];
  /** False until the phone has once moved: nobody knows what "ahead" is. */
  readonly hasHeading: boolean;
  readonly isMuted: boolean;
  /** undefined until the browser has answered. */
  readonly isAwake: boolean | undefined;
}

export interface Drive {
  readonly shown: Store<Shown>;
  mute(isMuted: boolean): void;
  stop(): void;
}

/** A position that is older than 10 s is none; a stream that is not heard is not live. */
export function driveState(connection: Connection, isHeard: boolean, positionAge: number): DriveState {
  if (connection === 'refused') return 'refused';
  if (positionAge > NO_POSITION_MS) return 'noPosition';
  if (connection === 'live') return isHeard ? 'live' : 'missing';
  return connection === 'lost' ? 'missing' : 'connecting';
}

/** A run of the page, from Start to Stop. */
export function startDrive(way: AlertSource, unit: SpeedUnit, isMuted: boolean): Drive {
  const clock = createClock(() => Date.now());
  const ask: typeof fetch = (...args) => globalThis.fetch(...args);
  const follower = new Follower(way, { fetch: ask, clock, random: Math.random });
  const impressions = new Impressions(way, { fetch: ask, newName: randomName });
  const voice = new Voice();
  const shown = createStore<Shown>({
    standing: 'connecting',
    trouble: undefined,
    list: [],
    hasHeading: false,
    isMuted,
    isAwake: undefined,
  });
  let track: Track | undefined;
  let told: Announced = new Map();

  const look = () => {
    const serverNow = clock.now();
    for (const [id, alert] of follower.alerts) if (alert.expiresAt <= serverNow) follower.alerts.delete(id);
    const age = track ? Date.now() - track.fix.at : Number.POSITIVE_INFINITY;
    const standing = driveState(follower.connection.get(), follower.isHeard(), age);
    const was = new Set(shown.get().list.map(one => one.alert.id));
    const list = age > NO_POSITION_MS ? [] : aheadOf(track, follower.alerts.values(), serverNow, was);
    shown.set(before => ({ ...before, standing, list, hasHeading: track?.heading != null }));
    for (const one of list) impressions.count(one.alert.id);
    speak(list);
  };
  const speak = (list: readonly Ahead[]) => {
    const word = voice.isFree() ? wordOf(list, told, track?.speed ?? 0) : undefined;
    if (!word) return;
    told = withAnnounced(told, word);
    if (!shown.get().isMuted) voice.say(spoken(word, unit));
  };
  const moved = (fix: Fix) => {
    track = advance(track, fix);
    if (track) follower.at(track.fix);
    shown.set(before => (before.trouble ? { ...before, trouble: undefined } : before));
    look();
  };

  const unwatch = watchPosition(moved, trouble => shown.set(before => ({ ...before, trouble })));
  const sleep = keepAwake(isAwake => shown.set(before => ({ ...before, isAwake })));
  const timer = setInterval(look, TICK_MS);
  const wake = () => {
    if (document.visibilityState === 'visible') follower.wake();
    look();
  };
  const gone = () => {
    follower.drop();
    look();
  };
  const leave = () => void impressions.send();
  window.addEventListener('pagehide', leave);
  window.addEventListener('online', wake);
  window.addEventListener('offline', gone);
  document.addEventListener('visibilitychange', wake);
  const offConnection = follower.connection.subscribe(look);

  return {
    shown,
    mute(on) {
      if (on) voice.hush();
      shown.set(before => ({ ...before, isMuted: on }));
    },
    stop() {
      offConnection();
      clearInterval(timer);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('online', wake);
      window.removeEventListener('offline', gone);
      document.removeEventListener('visibilitychange', wake);
      unwatch();
      sleep();
      voice.hush();
      follower.stop();
      impressions.stop();
    },
  };
}

/** 128 random bits; `crypto.randomUUID` is only there over TLS. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
