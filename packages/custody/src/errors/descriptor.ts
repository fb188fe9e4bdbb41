/** A refusal needs a change by the caller, an outage passes, a fault means that a peer cheated. */
export interface ErrorDescriptor {
  readonly kind: "refusal" | "outage" | "fault" | "internal";
  /** HTTP status */
  readonly status: number;
  readonly message: string;
  readonly remedy: string;
}

export const refusal = (status: number, message: string, remedy: string) =>
  ({ kind: "refusal", status, message, remedy }) as const;
export const outage = (status: number, message: string, remedy: string) =>
  ({ kind: "outage", status, message, remedy }) as const;
