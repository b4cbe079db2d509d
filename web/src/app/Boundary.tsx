import { Component, type ReactNode } from 'react';
import { FailureScreen } from './screens';

/** Catches what breaks outside of any route. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <FailureScreen error={this.state.error} />;
  }
}
