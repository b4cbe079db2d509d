import { describe, expect, it } from 'vitest';
import { invitedWords, isStuck, letterWords } from './invitation';

const states = ['', 'queued', 'retrying', 'unsent', 'sent', 'failed'] as const;

describe('the letter of an invitation', () => {
  it('is called sent only when a mail server has it', () => {
    const email = 'ann@fire.example';
    expect(
      states.filter(state => invitedWords({ invitation_mail: state, email }).text.includes('sent to ann')),
    ).toEqual(['sent']);
  });

  it('needs another way while it has not left', () => {
    expect(states.filter(state => isStuck({ invitation_mail: state }))).toEqual(['retrying', 'unsent', 'failed']);
  });

  it('is not spoken of where there was none', () => {
    const at = '2026-11-20T10:00:00.000Z';
    expect(letterWords({ invitation_mail: '', invited_at: at, invitation_open: true })).toBe(
      'By link, without an email',
    );
    expect(letterWords({ invitation_mail: '', invited_at: null, invitation_open: false })).toBeUndefined();
  });
});
