/** What a signature covers. */
export interface BitcoindHashType {
  /** the byte itself */
  readonly byte: number;
  readonly outputs: "all" | "none" | "single";
  /** the signature leaves the other inputs open */
  readonly anyoneCanPay: boolean;
}

const ANYONE_CAN_PAY = 0x80;

/** What any byte means where no policy is asked: bits that mean nothing are left out. */
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
