// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Authorisation as _conclave_signer_v2_Authorisation, Authorisation__Output as _conclave_signer_v2_Authorisation__Output } from '../../../conclave/signer/v2/Authorisation.gen.ts';
import type { Waiver as _conclave_signer_v2_Waiver, Waiver__Output as _conclave_signer_v2_Waiver__Output } from '../../../conclave/signer/v2/Waiver.gen.ts';

export interface DiscardEpochRequest {
  'authorisation'?: (_conclave_signer_v2_Authorisation | null);
  'waivers'?: (_conclave_signer_v2_Waiver)[];
}

export interface DiscardEpochRequest__Output {
  'authorisation': (_conclave_signer_v2_Authorisation__Output | null);
  'waivers': (_conclave_signer_v2_Waiver__Output)[];
}
