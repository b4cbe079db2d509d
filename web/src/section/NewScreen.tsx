import { type ReactNode, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type * as z from 'zod/mini';
import { EditForm, type FormOf, type Shape, useDraft } from '~/office';
import { useOrganization } from '~/session';
import { DrawerScreen } from './DrawerScreen';
import { formLook } from './formLook';
import { useGo } from './paths';

/** What a screen must know of the noun that it makes. */
interface Made {
  readonly what: string;
  readonly many: string;
  readonly list: string;
  readonly detail: (id: string) => string;
}

/** The id of what is made: sent again after a lost answer, it makes no second one. */
export const useNewId = (): string => useState(() => crypto.randomUUID())[0];

/** The frame of a screen that makes a row. */
export function NewScreen({ noun, id, children }: { noun: Made; id: string; children: ReactNode }) {
  const back = { label: noun.many, to: noun.list };
  return (
    <DrawerScreen id={id} list={noun.list} label={`Add ${noun.what}`} back={back} isForm keepsMap>
      {children}
    </DrawerScreen>
  );
}

interface NewFormProps<S extends Shape> {
  noun: Made;
  id: string;
  schema: z.ZodMiniObject<S>;
  begun: FormOf<S>;
  /** Makes the row in an organization, and says so. */
  send: (values: FormOf<S>, organizationId: string) => Promise<void>;
  say: (error: unknown) => string;
  children: (form: UseFormReturn<FormOf<S>>) => ReactNode;
}

/** The form of a new row; once it is made, its detail follows. */
export function NewForm<S extends Shape>({ noun, id, schema, begun, send, say, children }: NewFormProps<S>) {
  const go = useGo();
  const organization = useOrganization();
  const draft = useDraft({
    schema,
    begun,
    send: async (_, __, values) => {
      await send(values, organization.id);
      go(noun.detail(id), { replace: true });
    },
    say,
  });
  return (
    <EditForm label={`Add ${noun.what}`} submit="Add" draft={draft} cancel={() => go(noun.list)} look={formLook}>
      {children(draft.form)}
    </EditForm>
  );
}
