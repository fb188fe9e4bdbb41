// Original file: ../../proto/conclave/signer/v1/control.proto

import type { Authorisation as _conclave_signer_v1_Authorisation, Authorisation__Output as _conclave_signer_v1_Authorisation__Output } from './Authorisation.gen.ts';

export interface KeyRequest {
  'keyId'?: (string);
  'epoch'?: (number);
  'authorisation'?: (_conclave_signer_v1_Authorisation | null);
}

export interface KeyRequest__Output {
  'keyId': (string);
  'epoch': (number);
  'authorisation': (_conclave_signer_v1_Authorisation__Output | null);
}
