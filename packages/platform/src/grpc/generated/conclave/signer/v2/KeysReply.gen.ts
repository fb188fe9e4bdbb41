// Original file: ../../proto/conclave/signer/v2/control.proto

import type { HeldKey as _conclave_signer_v2_HeldKey, HeldKey__Output as _conclave_signer_v2_HeldKey__Output } from '../../../conclave/signer/v2/HeldKey.gen.ts';

export interface KeysReply {
  'keys'?: (_conclave_signer_v2_HeldKey)[];
  'next'?: (string);
}

export interface KeysReply__Output {
  'keys': (_conclave_signer_v2_HeldKey__Output)[];
  'next': (string);
}
