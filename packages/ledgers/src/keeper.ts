/** A record of a running ledger that must survive its process. */
export type LedgerRecord<Event> =
  | { readonly kind: "event"; readonly event: Event }
  /** the clock was moved by this many milliseconds */
  | { readonly kind: "shift"; readonly ms: number };

/** A ledger's state, from which a restarted process continues. */
export interface LedgerStanding<State> {
  readonly state: State;
  /** milliseconds added to the clock to give the ledger's time */
  readonly shiftMs: number;
}

/** Records what happens to a ledger. An event is recorded before its effects are visible. */
export interface LedgerKeeper<State, Event> {
  /** @param after the ledger's state after this record */
  keep(record: LedgerRecord<Event>, after: LedgerStanding<State>): void;
  close(): void;
}

/** Records nothing: the ledger lives as long as its process. */
export const NO_KEEPER: LedgerKeeper<unknown, unknown> = {
  keep: () => undefined,
  close: () => undefined,
};
