export interface RunningLedger {
  /** of the interface that the chain's official SDK speaks */
  readonly url: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}
