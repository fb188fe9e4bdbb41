// Original file: ../../proto/conclave/signer/v2/control.proto

import type { Authorisation as _conclave_signer_v2_Authorisation, Authorisation__Output as _conclave_signer_v2_Authorisation__Output } from '../../../conclave/signer/v2/Authorisation.gen.ts';

export interface Auxiliary {
  'epoch'?: (number);
  'authorisation'?: (_conclave_signer_v2_Authorisation | null);
}

export interface Auxiliary__Output {
  'epoch': (number);
  'authorisation': (_conclave_signer_v2_Authorisation__Output | null);
}
