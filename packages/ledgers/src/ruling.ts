/** A ledger's judgement of a submission: a value, or a refusal in the words of the chain's node. */
export type Ruling<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export const granted = <T>(value: T): Ruling<T> => ({ ok: true, value });

export const refusedWith = (message: string): Ruling<never> => ({ ok: false, message });
