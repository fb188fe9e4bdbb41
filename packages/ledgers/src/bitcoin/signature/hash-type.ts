/** The parts of a transaction that a signature covers. */
export interface BitcoindHashType {
  /** the byte itself */
  readonly byte: number;
  readonly outputs: "all" | "none" | "single";
  /** the signature does not cover the other inputs */
  readonly anyoneCanPay: boolean;
}

const ANYONE_CAN_PAY = 0x80;

/** The meaning of a hash type byte in consensus, which ignores undefined bits. */
export const hashTypeOf = (byte: number): BitcoindHashType => {
  const outputs = { 2: "none", 3: "single" } as const;
  const base = byte & 0x1f;
  return {
    byte,
    outputs: base === 2 || base === 3 ? outputs[base] : "all",
    anyoneCanPay: (byte & ANYONE_CAN_PAY) !== 0,
  };
};

/** Whether a byte is ALL, NONE or SINGLE, with or without ANYONECANPAY. */
export const isDefinedHashType = (byte: number): boolean => {
  const base = byte & ~ANYONE_CAN_PAY;
  return base >= 1 && base <= 3;
};
