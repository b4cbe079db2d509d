import enums from '@catalog/enums.json';
import limits from '@catalog/limits.json';
import { useState } from 'react';
import { type Command, hasR2RHardware, lightRefusal, r2rRefusal } from '~/model/command';
import type { Thing } from '~/model/thing';
import { DetailSection } from '~/section/parts';
import { type Requirement, useCan, useIsPhone, useOrganization } from '~/session';
import { Button, Notice, RefusedButton, Select } from '~/ui';
import { mayEditThing } from './access';
import { setLightIntensity, toggleTestMode, useCommands } from './commands';
import { alertWords, type DeviceMessage, lightWords, offWords, refusalText } from './deviceWords';
import { LastCommands } from './LastCommands';
import styles from './r2r.module.css';
import { useFate, useIsCurrent, usePress } from './usePress';

/** What can be asked of the device of an asset: shown where the device understands it, or somebody might ask. */
export function DeviceActions({ thing }: { thing: Thing }) {
  const mayTest = useMayAsk(thing, 'INVOKE_R2R');
  const mayLight = useMayAsk(thing, 'CHANGE_LIGHT_INTENSITY');
  return hasR2RHardware(thing) || mayTest || mayLight ? (
    <Actions key={thing.id} thing={thing} mayTest={mayTest} mayLight={mayLight} />
  ) : null;
}

/** A courtesy; the server decides. */
function useMayAsk(thing: Thing, requirement: Requirement): boolean {
  const hasPermission = useCan(requirement);
  return mayEditThing(thing, useOrganization(), hasPermission);
}

function Actions({ thing, mayTest, mayLight }: { thing: Thing; mayTest: boolean; mayLight: boolean }) {
  const isInReach = mayEditThing(thing, useOrganization(), true);
  const commands = useCommands(thing.id, isInReach);
  const isPhone = useIsPhone();
  const known = commands.rows ?? [];
  return (
    <>
      <R2R thing={thing} isPermitted={mayTest} commands={known} />
      {!isPhone && <Light thing={thing} isPermitted={mayLight} commands={known} />}
      {isInReach && <LastCommands {...commands} />}
    </>
  );
}

interface ActionProps {
  thing: Thing;
  isPermitted: boolean;
  commands: readonly Command[];
}

function R2R({ thing, isPermitted, commands }: ActionProps) {
  const { press, isAsking, start } = usePress(thing.id, (_: 'on' | 'off', key) => toggleTestMode(thing.id, key));
  const fate = useFate(press, commands);
  const refusal = r2rRefusal(thing, isPermitted);
  const label = thing.isTestModeOn ? 'Turn Off Test Mode' : 'Send Test Alert';
  const words = press?.asked === 'off' ? offWords : alertWords;
  const said = fate && words(fate, press?.failure);
  return (
    <DetailSection title="R2R">
      <div className={styles.actions}>
        {refusal ? (
          <RefusedButton reason={refusalText(refusal)}>{label}</RefusedButton>
        ) : (
          <Button isPending={isAsking} onPress={() => void start(thing.isTestModeOn ? 'off' : 'on')}>
            {label}
          </Button>
        )}
      </div>
      <Message id={press?.key} said={said} clearMs={limits.ui.r2rMessageMs.value} />
    </DetailSection>
  );
}

const INTENSITIES = enums.lightIntensities.map(id => ({ id, label: id.charAt(0).toUpperCase() + id.slice(1) }));

function Light({ thing, isPermitted, commands }: ActionProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { press, isAsking, start } = usePress(thing.id, (intensity: string, key) =>
    setLightIntensity(thing.id, intensity, key),
  );
  const fate = useFate(press, commands);
  const refusal = lightRefusal(thing, isPermitted);
  const said = fate && lightWords(fate, press?.failure);
  return (
    <DetailSection title="LED Intensity">
      <div className={styles.actions}>
        <Select
          label="LED Intensity"
          hideLabel
          options={INTENSITIES}
          value={chosen}
          onChange={setChosen}
          placeholder="Select intensity"
          className={styles.choice ?? ''}
          isDisabled={refusal !== undefined}
        />
        {refusal ? (
          <RefusedButton reason={refusalText(refusal)}>Update</RefusedButton>
        ) : (
          <Button isPending={isAsking} isDisabled={!chosen} onPress={() => chosen && void start(chosen)}>
            Update
          </Button>
        )}
      </div>
      <Message id={press?.key} said={said} clearMs={limits.ui.lightMessageMs.value} />
    </DetailSection>
  );
}

const TONES = { waiting: 'info', good: 'good', bad: 'danger' } as const;

/** What is said of an action, and to a screen reader as it comes. What is known stands for a while; waiting stands as long as it lasts. */
function Message({ id, said, clearMs }: { id: string | undefined; said: DeviceMessage | ''; clearMs: number }) {
  const isWaiting = said !== '' && said.tone === 'waiting';
  const key = said === '' || isWaiting ? '' : [id, ...said.lines].join('/');
  const stands = useIsCurrent(key, clearMs) || isWaiting;
  return (
    <div role="status" className={styles.said}>
      {said !== '' && stands && said.lines.length > 0 && (
        <Notice tone={TONES[said.tone]}>
          {said.lines.map(line => (
            <p key={line}>{line}</p>
          ))}
        </Notice>
      )}
    </div>
  );
}
