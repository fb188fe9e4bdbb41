// Original file: ../../proto/conclave/signer/v1/control.proto

import type { Authorisation as _conclave_signer_v1_Authorisation, Authorisation__Output as _conclave_signer_v1_Authorisation__Output } from './Authorisation.gen.ts';
import type { Long } from '@grpc/proto-loader';

export interface RefreshKeyRequest {
  'sessionId'?: (Buffer | Uint8Array | string);
  'authorisation'?: (_conclave_signer_v1_Authorisation | null);
  'expiresAtMs'?: (number | string | Long);
}

export interface RefreshKeyRequest__Output {
  'sessionId': (Buffer);
  'authorisation': (_conclave_signer_v1_Authorisation__Output | null);
  'expiresAtMs': (number);
}
