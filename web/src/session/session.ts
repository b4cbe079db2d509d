import limits from '@catalog/limits.json';
import type { Client } from '~/api';
import { asFailure, type Failure } from '~/api';
import type { Clock } from '~/lib/clock';
import { notify } from '~/lib/notify';
import { type KeyValue, readJson, writeJson } from '~/lib/storage';
import { createStore } from '~/lib/store';
import { alertOf, type SessionAlert } from './alerts';
import { Ending } from './ending';
import { askGrant, type FactorProof, type GrantAnswer } from './grants';
import { Idle } from './idle';
import { Lock } from './lock';
import { hasEnded, readMarker, writeMarker } from './marker';
import { OrganizationMismatch, type Profile, profileOf } from './profile';
import { bundleOf, Renewal } from './renewal';
import { StepUp, type StepUpProof, sendProof } from './stepUp';
import type { Bundle, TabMessage, Tabs } from './tabs';

/** Where the session stands. */
export type SessionState =
  | { phase: 'restoring' }
  | { phase: 'signedOut' }
  /** Nothing could be learned from the server; `retry` asks again. */
  | { phase: 'unreachable'; failure: Failure }
  | { phase: 'signedIn'; profile: Profile; organizationId: string };

export interface SessionParts {
  api: Client;
  tabs: Tabs;
  /** Server time; ends of tokens are judged by it. */
  clock: Clock;
  /** Local time, for idleness. */
  now: () => number;
  storage: KeyValue | undefined;
  page?: Pick<Document, 'addEventListener' | 'removeEventListener'>;
}

/** The organization that was last chosen, with the user who chose it. */
const ORGANIZATION_KEY = 'lightbar.organization';

const NOTICE_MS = limits.session.expiredNoticeMs.value;

/**
 * The signed-in session of one tab, outside React. Access stays in memory; the refresh token is a cookie that no
 * script can read. Tabs share one session: a renewal, a sign-in and a sign-out reach all of them.
 */
export class Session {
  readonly state = createStore<SessionState>({ phase: 'restoring' });
  readonly alert = createStore<SessionAlert | undefined>(undefined);
  /** The session has ended because another tab gave it up; until somebody signs in again. */
  readonly endedElsewhere = createStore(false);
  /** The server has ended the session, or it ran out; until somebody signs in again. */
  readonly expired = createStore(false);
  readonly stepUp: StepUp;
  readonly lock: Lock;
  readonly ending: Ending;
  private readonly idle: Idle;
  private readonly renewal: Renewal;
  private readonly onEnd = new Set<() => void>();
  private stopIdle: (() => void) | undefined;
  private bundle: Bundle | undefined;
  private notice: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: SessionParts) {
    this.stepUp = new StepUp(parts.api);
    this.ending = new Ending(parts.clock, () => this.expire());
    this.lock = new Lock({
      now: parts.now,
      storage: parts.storage,
      changed: locked => parts.tabs.tell({ kind: 'lock', locked }),
    });
    parts.api.use({
      token: () => this.bundle?.access,
      refused: (token, failure) => this.refused(token, failure),
      confirm: () => this.stepUp.ask('action'),
    });
    this.renewal = new Renewal({
      api: parts.api,
      tabs: parts.tabs,
      clock: parts.clock,
      present: () => this.bundle,
      announced: () => readMarker(parts.storage)?.expiresAt,
      take: bundle => this.take(bundle),
      ended: () => this.expire(),
    });
    this.idle = new Idle({
      now: parts.now,
      onActive: at => this.used(at),
      onPrompt: () => this.alert.set(alertOf('idle')),
      onPromptEnd: () => this.alert.set(undefined),
      onExpire: () => void this.signOut(alertOf('idleExpired')),
    });
    this.listen();
  }

  /** Brings back the session of this browser, if there is one. Resolves when the state is settled. */
  async restore(): Promise<void> {
    const marker = readMarker(this.parts.storage);
    if (!marker || hasEnded(marker, this.parts.now())) return this.drop();
    if (marker.ahead > 0) this.parts.clock.learn(this.parts.now() - marker.ahead);
    try {
      await this.renewal.run();
    } catch (error) {
      this.unreachable(error);
      return;
    }
    await this.loadProfile().catch(error => this.failed(error));
  }

  /**
   * Signs in with a password, and unlocks the account with the token of an unlock mail. Throws the `Failure` of POST
   * /user_token: `challengeOf` reads what it asks for further, `say('signin', …)` has its text.
   */
  async signIn(email: string, password: string, unlockToken?: string): Promise<void> {
    const unlock = unlockToken ? { unlock_token: unlockToken } : {};
    const grant = { grant_type: 'password', application: 'dashboard', username: email, password, ...unlock } as const;
    await this.enter(await askGrant(this.parts.api, grant));
  }

  /** Goes on with a sign-in that asked for the second factor. Throws the `Failure`; `say('factor', …)` has its text. */
  async confirmFactor(challenge: string, proof: FactorProof): Promise<void> {
    await this.enter(await askGrant(this.parts.api, { grant_type: 'mfa', challenge, ...proof }));
  }

  /**
   * Goes on with a sign-in that needs a second factor set up first. The recovery codes are shown once: the session
   * begins when `enter` is called after that. Throws the `Failure`.
   */
  async setUpFactor(
    challenge: string,
    code: string,
  ): Promise<{ codes: readonly string[]; enter: () => Promise<void> }> {
    const answer = await askGrant(this.parts.api, { grant_type: 'mfa', challenge, method: 'totp_setup', code });
    return { codes: answer.recovery_codes ?? [], enter: () => this.enter(answer) };
  }

  /** Signs in with the tokens of a sign-in link: they are exchanged at once for a pair of this browser's own. */
  async signInByLink(access: string, refresh: string): Promise<void> {
    await this.enter(
      await askGrant(this.parts.api, { grant_type: 'link', access_token: access, refresh_token: refresh }),
    );
  }

  /** Begins with the refresh cookie that a sign-in provider's return has left. Throws the `Failure`. */
  async signInByCookie(): Promise<void> {
    await this.enter(await askGrant(this.parts.api, { grant_type: 'refresh_token' }));
  }

  /**
   * Turns the situational-awareness mode on or off, in all tabs; asks who is there where the server wants to know.
   * Throws the `Failure`.
   */
  async setAwareness(on: boolean): Promise<void> {
    try {
      await this.renewal.renew(on);
    } catch (error) {
      // A renewal has no bearer token, so the client does not ask by itself.
      if (asFailure(error).code !== 'step_up_required' || !(await this.stepUp.ask('action'))) throw error;
      await this.renewal.renew(on);
    }
    await this.reloadProfile();
  }

  /** Reads the profile again after a change of it, here and in the other tabs. */
  async reloadProfile(): Promise<void> {
    this.parts.tabs.tell({ kind: 'profile' });
    await this.refreshProfile();
  }

  /** Of somebody who is signed in: what cannot be read now stays as it was; a 401 ends the session by itself. */
  private async refreshProfile(): Promise<void> {
    await this.loadProfile().catch(error => {
      if (error instanceof OrganizationMismatch) this.failed(error);
    });
  }

  /** Resumes from the lock screen. Throws the `Failure` of the step-up. */
  async unlock(proof: StepUpProof): Promise<void> {
    await sendProof(this.parts.api, { ...proof, unlock: true });
    this.lock.unlock();
  }

  /** Asks who is there, and moves the absolute end of the session away. */
  async extend(): Promise<void> {
    if (!(await this.stepUp.ask('extend'))) return;
    // The present access ends with the old end: the next one is good for the new.
    await this.renewal.renew();
    await this.reloadProfile();
  }

  /** Asks the server again after `unreachable`. */
  async retry(): Promise<void> {
    this.state.set({ phase: 'restoring' });
    if (!this.bundle) return this.restore();
    await this.loadProfile().catch(error => this.failed(error));
  }

  /** Ends the session here, on the server and in the other tabs; `expired`: it had ended by itself. */
  async signOut(alert?: SessionAlert, expired = false): Promise<void> {
    const { access: token, issuedAt } = this.bundle ?? {};
    this.expired.set(expired);
    this.end(alert);
    this.parts.tabs.tell({ kind: 'signedOut', expired, ...(issuedAt === undefined ? {} : { issuedAt }) });
    if (!token) return;
    // Signing out must work without a network: what cannot be revoked now ends by itself.
    await this.parts.api
      .request('POST /revoke_token', { body: { token }, auth: false, timeoutMs: 10_000 })
      .catch(() => undefined);
  }

  /** Answers the idle question. */
  staySignedIn(): void {
    this.alert.set(undefined);
    this.idle.confirm();
  }

  closeAlert(): void {
    this.alert.set(undefined);
  }

  /** Looks at another organization in reach; the token stays the same. */
  switchOrganization(organizationId: string): void {
    const now = this.state.get();
    if (now.phase !== 'signedIn' || !now.profile.organizations.some(one => one.id === organizationId)) return;
    writeJson(this.parts.storage, ORGANIZATION_KEY, { userId: now.profile.userId, organizationId });
    this.state.set({ ...now, organizationId });
  }

  /** The access token, for the stream's subprotocol. */
  accessToken(): string | undefined {
    return this.bundle?.access;
  }

  /** The stream was refused, or what one may do has changed: the profile says how things stand (a 401 signs out). */
  async checkAccess(): Promise<void> {
    await this.refreshProfile();
  }

  /** Told when a session ends, before the state changes: caches must forget what they hold. */
  whenEnded(listener: () => void): () => void {
    this.onEnd.add(listener);
    return () => this.onEnd.delete(listener);
  }

  /** After sleep, a hidden tab or a lost network: timers may be late. */
  wake(): void {
    this.lock.check();
    if (this.bundle) this.renewal.arm(this.bundle);
  }

  private async enter(answer: GrantAnswer): Promise<void> {
    const bundle = bundleOf(answer);
    this.parts.clock.learn(bundle.issuedAt);
    this.take(bundle);
    this.parts.tabs.tell({ kind: 'bundle', bundle });
    await this.loadProfile(true).catch(error => {
      this.failed(error);
      throw error;
    });
  }

  private take(bundle: Bundle): void {
    this.bundle = bundle;
    this.endedElsewhere.set(false);
    this.expired.set(false);
    this.rescind();
    const ahead = this.parts.now() - this.parts.clock.now();
    writeMarker(this.parts.storage, { expiresAt: bundle.expiresAt, ahead });
    this.renewal.arm(bundle);
  }

  private async loadProfile(fresh = false): Promise<void> {
    const profile = profileOf(await this.parts.api.data('GET /profile'));
    if (!this.bundle) return; // signed out meanwhile
    const stored = readJson(this.parts.storage, ORGANIZATION_KEY) as
      | { userId?: string; organizationId?: string }
      | undefined;
    const now = this.state.get();
    const before = now.phase === 'signedIn' ? now : undefined;
    // Somebody else has signed in, in another tab: nothing of the user before may stay.
    if (before && before.profile.userId !== profile.userId) {
      notify(this.onEnd);
      this.state.set({ phase: 'restoring' });
    }
    // Each tab looks at its own organization; what was chosen last is for a tab that begins.
    const stayed = before?.profile.userId === profile.userId ? before.organizationId : undefined;
    const chosen = stayed ?? (stored?.userId === profile.userId ? stored.organizationId : undefined);
    const organization = profile.organizations.find(one => one.id === chosen) ?? profile.organizations[0];
    this.watch(profile, fresh);
    this.state.set({ phase: 'signedIn', profile, organizationId: organization.id });
  }

  /** Idleness, lock and end, as the profile has them; awareness mode has none of them but an end for want of a second factor. */
  private watch(profile: Profile, fresh: boolean): void {
    const { awareness } = profile;
    // The lock first: watching for idleness begins with a use.
    this.lock.start(profile.userId, awareness ? 0 : profile.organizations[0].lockScreenMs, fresh);
    if (awareness) this.restIdle();
    else this.stopIdle ??= this.idle.start(this.parts.page);
    this.ending.plan(profile.endsAt);
  }

  private restIdle(): void {
    this.stopIdle?.();
    this.stopIdle = undefined;
    if (this.alert.get()?.kind === 'idle') this.alert.set(undefined);
  }

  private used(at: number): void {
    this.lock.touch(at);
    this.parts.tabs.tell({ kind: 'active', at });
  }

  /** A profile that cannot be had ends the session in words; a network that is down only waits. */
  private failed(error: unknown): void {
    // The end of the session may itself be the reason (a refused refresh, a 401): then all is said.
    if (this.state.get().phase === 'signedOut' || this.alert.get()) return;
    if (error instanceof OrganizationMismatch) void this.signOut(alertOf('invalid'));
    else if (asFailure(error).status === 0) this.unreachable(error);
    else void this.signOut(alertOf('error'));
  }

  /** No token could be had; a refusal has ended the session already, anything else may pass. */
  private unreachable(error: unknown): void {
    const failure = asFailure(error);
    if (failure.isPassing) this.state.set({ phase: 'unreachable', failure });
  }

  private refused(token: string, failure: Failure): void {
    if (token !== this.bundle?.access) return;
    if (failure.code === 'organization_changed') void this.signOut(alertOf('invalid'));
    else void this.signOut(undefined, true);
  }

  private expire(): void {
    if (this.notice !== undefined) return;
    this.alert.set(alertOf('expired'));
    this.notice = setTimeout(() => {
      this.alert.set(undefined);
      void this.signOut(undefined, true);
    }, NOTICE_MS);
  }

  /** A pair came while the notice of the end stood. */
  private rescind(): void {
    if (this.notice === undefined) return;
    clearTimeout(this.notice);
    this.notice = undefined;
    this.alert.set(undefined);
  }

  /** `until` is the end of the pair that is given up: a newer one is another session's. */
  private drop(until = Number.POSITIVE_INFINITY): void {
    const { storage } = this.parts;
    if ((readMarker(storage)?.expiresAt ?? 0) <= until) writeMarker(storage, undefined);
    this.state.set({ phase: 'signedOut' });
  }

  private end(alert?: SessionAlert): void {
    clearTimeout(this.notice);
    this.notice = undefined;
    const until = this.bundle?.expiresAt;
    this.bundle = undefined;
    this.renewal.stop();
    this.restIdle();
    this.lock.stop();
    this.ending.plan(undefined);
    this.stepUp.cancel();
    notify(this.onEnd);
    this.drop(until);
    this.alert.set(alert);
  }

  private listen(): void {
    this.parts.tabs.listen(message => this.hear(message));
  }

  private hear(message: TabMessage): void {
    const { phase } = this.state.get();
    switch (message.kind) {
      case 'active':
        this.idle.elsewhere(message.at);
        this.lock.touch(message.at);
        break;
      case 'ask':
        if (this.bundle) this.parts.tabs.tell({ kind: 'bundle', bundle: this.bundle });
        break;
      case 'bundle':
        this.heard(message.bundle);
        break;
      case 'lock':
        this.lock.heard(message.locked);
        break;
      case 'profile':
        if (phase === 'signedIn') void this.refreshProfile();
        break;
      case 'signedOut':
        // A tab that has slept gives up its own pair, not the session that came after.
        if ((this.bundle?.issuedAt ?? 0) > (message.issuedAt ?? Number.POSITIVE_INFINITY)) return;
        if (phase === 'signedOut') return;
        (message.expired ? this.expired : this.endedElsewhere).set(true);
        this.end();
    }
  }

  /** Another tab has a bundle: newer than ours, or the first one for a tab that waits at the sign-in. */
  private heard(bundle: Bundle): void {
    const mine = this.bundle;
    if (mine && (bundle.issuedAt < mine.issuedAt || bundle.access === mine.access)) return;
    const { phase } = this.state.get();
    this.take(bundle);
    if (phase === 'signedIn') void this.refreshProfile();
    if (phase === 'signedOut') void this.loadProfile(true).catch(error => this.failed(error));
  }
}
