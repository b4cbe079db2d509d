import { ChartColumn, FileDown, Gift, type LucideIcon, MessageSquare, Pencil, UserPlus } from 'lucide-react';
import { useStore } from '~/lib/store';
import { type Brand, hasSupportMail, setPreference, useBrand, usePreference } from '~/session';
import { Button } from '~/ui/Button';
import { Checkbox } from '~/ui/Checkbox';
import { Dialog } from '~/ui/Dialog';
import { runningVersion } from '../version';
import styles from './Dialogs.module.css';
import { useSupport } from './support';

interface HelpLink {
  label: string;
  Icon: LucideIcon;
  href: string;
}

/** The six ways of requirements 2.chrome; where nobody can be referred to, the mail takes it, once there is a mailbox. */
function linksOf(brand: Brand): readonly HelpLink[] {
  const mailed = hasSupportMail(brand);
  const mail = (subject: string) => `mailto:${brand.supportEmail}?subject=${encodeURIComponent(subject)}`;
  return [
    { label: 'Rename assets', Icon: Pencil, href: `${brand.helpUrl}#rename-assets` },
    { label: 'Add users', Icon: UserPlus, href: `${brand.helpUrl}#add-users` },
    { label: 'View reports', Icon: ChartColumn, href: `${brand.helpUrl}#view-reports` },
    { label: 'Create exports', Icon: FileDown, href: `${brand.helpUrl}#create-exports` },
    ...(mailed ? [{ label: 'Give feedback', Icon: MessageSquare, href: mail(`Feedback on ${brand.name}`) }] : []),
    ...(brand.referUrl || mailed
      ? [{ label: 'Refer a fleet', Icon: Gift, href: brand.referUrl || mail('A fleet that may be interested') }]
      : []),
  ];
}

/** Who helps, and with what. Closing it at first use means that it opens by itself no more. */
export default function SupportDialog() {
  const brand = useBrand();
  const show = useSupport();
  const always = usePreference('alwaysShowSupport');
  const hasMail = hasSupportMail(brand);
  const hasContact = hasMail || brand.supportPhone !== '';
  const close = () => {
    setPreference('hideSupportDialog', true);
    show(false);
  };
  return (
    <Dialog
      isOpen
      onOpenChange={open => !open && close()}
      title="Support"
      actions={
        <Button variant="primary" onPress={close}>
          Close
        </Button>
      }
    >
      <p>{hasContact ? 'Need help? Start here, or contact us.' : 'Need help? Start here.'}</p>
      <ul className={styles.helpLinks}>
        {linksOf(brand).map(({ label, Icon, href }) => (
          <li key={label}>
            <a href={href} {...(href.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noreferrer' })}>
              <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
              {label}
            </a>
          </li>
        ))}
      </ul>
      {hasContact && (
        <dl className={styles.contact}>
          {hasMail && (
            <>
              <dt>Email</dt>
              <dd>
                <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
              </dd>
            </>
          )}
          {brand.supportPhone && (
            <>
              <dt>Phone</dt>
              <dd>
                <a href={`tel:${brand.supportPhone.replaceAll(/[^+\d]/g, '')}`}>{brand.supportPhone}</a>
              </dd>
            </>
          )}
        </dl>
      )}
      <Version environment={brand.environment} />
      <Checkbox isSelected={always} onChange={on => setPreference('alwaysShowSupport', on)}>
        Show every time I sign in
      </Checkbox>
    </Dialog>
  );
}

/** What support asks first: the version, and beside it where this installation stands. */
function Version({ environment }: { environment: string }) {
  const version = useStore(runningVersion);
  const words = [version && `Version ${version}`, environment].filter(Boolean).join(' · ');
  return words === '' ? null : <p className={styles.version}>{words}</p>;
}
