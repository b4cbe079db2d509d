import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { cx } from '~/lib/cx';
import styles from './Button.module.css';
import { Spinner } from './Spinner';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  children?: ReactNode;
  variant?: 'default' | 'primary' | 'ghost' | 'danger';
  size?: 'small' | 'medium' | 'large';
  /** Stands before the label. */
  icon?: ReactNode;
  /** Casts the shadow of things that float over the map. */
  float?: boolean;
  className?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a label. `isPending` shows a spinner, keeps focus and refuses presses. */
export function Button({
  children,
  variant = 'default',
  size = 'medium',
  icon,
  float,
  className,
  ...rest
}: ButtonProps) {
  return (
    <AriaButton {...rest} className={buttonClass({ variant, size, float, className })}>
      {rest.isPending ? <Spinner size={16} /> : icon}
      {children}
    </AriaButton>
  );
}

/** The look of a button for what is not one (a link). */
export function buttonClass(look: {
  variant?: ButtonProps['variant'];
  size?: ButtonProps['size'];
  float?: boolean | undefined;
  icon?: boolean | undefined;
  on?: boolean | undefined;
  className?: string | undefined;
}): string {
  const { variant = 'default', size = 'medium' } = look;
  return cx(
    styles.button,
    variant !== 'default' && styles[variant],
    size !== 'medium' && styles[size],
    look.icon && styles.icon,
    look.float && styles.float,
    look.on && styles.on,
    look.className,
  );
}
