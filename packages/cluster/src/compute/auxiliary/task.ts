import type {
  AuxiliaryInfo,
  AuxiliaryPrimes,
  Envelope,
  PartyIndex,
  Secret,
  Session,
} from "@conclave/threshold";

export interface AuxiliaryTask {
  readonly kind: "open-auxiliary";
  /** ascending, self included */
  readonly parties: readonly PartyIndex[];
  readonly epoch: number;
  readonly primes: Secret<AuxiliaryPrimes>;
}

export interface MadeAuxiliary {
  readonly kind: "auxiliary";
  /** auxiliaryInfoCodec */
  readonly info: Secret<Uint8Array>;
  /** SHA-256 of `info`, computed after the bytes were decoded again and compared; the store must keep exactly these bytes */
  readonly checksum: Uint8Array;
  readonly epoch: number;
  /** of the public material: the same on every signer */
  readonly digest: Uint8Array;
  readonly send: readonly Envelope[];
}

export interface RunningAuxiliary {
  readonly kind: "auxiliary";
  readonly session: Session<AuxiliaryInfo>;
}
