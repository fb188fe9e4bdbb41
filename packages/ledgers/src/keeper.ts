/** The events of a running ledger that must outlive its process. */
export type LedgerRecord<Event> =
  | { readonly kind: "event"; readonly event: Event }
  /** the clock was moved by so many milliseconds */
  | { readonly kind: "shift"; readonly ms: number };

/** The state of a ledger, from which a restarted process goes on. */
export interface LedgerStanding<State> {
  readonly state: State;
  /** milliseconds by which the ledger's time differs from its clock's */
  readonly shiftMs: number;
}

/** Keeps what happens to a ledger. A record is kept before anybody hears of what it did. */
export interface LedgerKeeper<State, Event> {
  /** @param after where the ledger stands with this record */
  keep(record: LedgerRecord<Event>, after: LedgerStanding<State>): void;
  close(): void;
}

/** Keeps nothing: the ledger lives as long as its process. */
export const NO_KEEPER: LedgerKeeper<unknown, unknown> = {
  keep: () => undefined,
  close: () => undefined,
};
