// Original file: ../../proto/conclave/signer/v2/control.proto

import type { KeyState as _conclave_signer_v2_KeyState, KeyState__Output as _conclave_signer_v2_KeyState__Output } from '../../../conclave/signer/v2/KeyState.gen.ts';
import type { NextShare as _conclave_signer_v2_NextShare, NextShare__Output as _conclave_signer_v2_NextShare__Output } from '../../../conclave/signer/v2/NextShare.gen.ts';

export interface HeldKey {
  'key'?: (_conclave_signer_v2_KeyState | null);
  'next'?: (_conclave_signer_v2_NextShare)[];
}

export interface HeldKey__Output {
  'key': (_conclave_signer_v2_KeyState__Output | null);
  'next': (_conclave_signer_v2_NextShare__Output)[];
}
