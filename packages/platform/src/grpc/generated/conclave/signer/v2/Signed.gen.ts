// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Signature as _conclave_signer_v2_Signature, Signature__Output as _conclave_signer_v2_Signature__Output } from '../../../conclave/signer/v2/Signature.gen.ts';

export interface Signed {
  'signatures'?: (_conclave_signer_v2_Signature)[];
}

export interface Signed__Output {
  'signatures': (_conclave_signer_v2_Signature__Output)[];
}
