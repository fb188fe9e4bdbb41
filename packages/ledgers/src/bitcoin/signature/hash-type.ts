/** The coverage of a signature. */
export interface BitcoindHashType {
  /** the byte itself */
  readonly byte: number;
  readonly outputs: "all" | "none" | "single";
  /** the signature leaves the other inputs open */
  readonly anyoneCanPay: boolean;
}

const ANYONE_CAN_PAY = 0x80;

/** The meaning of any byte without a policy: meaningless bits are left out. */
export const hashTypeOf = (byte: number): BitcoindHashType => {
  const outputs = { 2: "none", 3: "single" } as const;
  const base = byte & 0x1f;
  return {
    byte,
    outputs: base === 2 || base === 3 ? outputs[base] : "all",
    anyoneCanPay: (byte & ANYONE_CAN_PAY) !== 0,
  };
};

/** ALL, NONE, SINGLE, each also with ANYONECANPAY. */
export const isDefinedHashType = (byte: number): boolean => {
  const base = byte & ~ANYONE_CAN_PAY;
  return base >= 1 && base <= 3;
};
