import type { Client, Schemas } from '~/api';
import { createStore } from '~/lib/store';

/** Why somebody is asked who they are: an action that needs it, or a session that is about to end. */
export type StepUpReason = 'action' | 'extend';

/** What proves who is there (POST /session/step_up). */
export type StepUpProof = With<'password'> | With<'code'> | With<'challenge' | 'credential'>;

type With<K extends keyof Schemas['StepUp']> = Required<Pick<Schemas['StepUp'], K>>;

/** The question that stands over the page; calls that wait for the same answer share it. */
export class StepUp {
  readonly question = createStore<StepUpReason | undefined>(undefined);
  private waiting: Promise<boolean> | undefined;
  private settle: ((confirmed: boolean) => void) | undefined;

  constructor(private readonly api: Client) {}

  /** Asks; true once the server knows who is there, false when the user turned away. */
  ask(reason: StepUpReason): Promise<boolean> {
    this.waiting ??= new Promise<boolean>(resolve => {
      this.settle = resolve;
      this.question.set(reason);
    });
    return this.waiting;
  }

  /** Sends a proof; throws the `Failure` and leaves the question standing. */
  async prove(proof: StepUpProof): Promise<void> {
    const extend = this.question.get() === 'extend' ? { extend: true } : {};
    await sendProof(this.api, { ...proof, ...extend });
    this.confirmed();
  }

  /** The server knows who is there. */
  confirmed(): void {
    this.close(true);
  }

  /** The user turned away, or the session ended. */
  cancel(): void {
    this.close(false);
  }

  private close(confirmed: boolean): void {
    const settle = this.settle;
    this.waiting = undefined;
    this.settle = undefined;
    this.question.set(undefined);
    settle?.(confirmed);
  }
}

/** Sends a proof of who is there. */
export async function sendProof(
  api: Client,
  proof: StepUpProof & Pick<Schemas['StepUp'], 'extend' | 'unlock'>,
): Promise<void> {
  await api.request('POST /session/step_up', { body: proof, stepUp: false });
}
