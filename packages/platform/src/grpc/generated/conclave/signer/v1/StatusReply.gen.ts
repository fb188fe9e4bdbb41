// Original file: ../../proto/conclave/signer/v1/control.proto

import type { KeyState as _conclave_signer_v1_KeyState, KeyState__Output as _conclave_signer_v1_KeyState__Output } from './KeyState.gen.ts';
import type { SessionState as _conclave_signer_v1_SessionState, SessionState__Output as _conclave_signer_v1_SessionState__Output } from './SessionState.gen.ts';
import type { PoolState as _conclave_signer_v1_PoolState, PoolState__Output as _conclave_signer_v1_PoolState__Output } from './PoolState.gen.ts';
import type { NextShare as _conclave_signer_v1_NextShare, NextShare__Output as _conclave_signer_v1_NextShare__Output } from './NextShare.gen.ts';
import type { Long } from '@grpc/proto-loader';

export interface StatusReply {
  'index'?: (number);
  'id'?: (string);
  'state'?: (string);
  'parameters'?: (string);
  'auxiliaryEpoch'?: (number);
  'auxiliaryDigest'?: (Buffer | Uint8Array | string);
  'keys'?: (_conclave_signer_v1_KeyState)[];
  'sessions'?: (_conclave_signer_v1_SessionState)[];
  'cpuMicroseconds'?: (number | string | Long);
  'residentBytes'?: (number | string | Long);
  'connectedPeers'?: (number)[];
  'keyCount'?: (number);
  'pool'?: (_conclave_signer_v1_PoolState | null);
  'nextShares'?: (_conclave_signer_v1_NextShare)[];
}

export interface StatusReply__Output {
  'index': (number);
  'id': (string);
  'state': (string);
  'parameters': (string);
  'auxiliaryEpoch': (number);
  'auxiliaryDigest': (Buffer);
  'keys': (_conclave_signer_v1_KeyState__Output)[];
  'sessions': (_conclave_signer_v1_SessionState__Output)[];
  'cpuMicroseconds': (number);
  'residentBytes': (number);
  'connectedPeers': (number)[];
  'keyCount': (number);
  'pool': (_conclave_signer_v1_PoolState__Output | null);
  'nextShares': (_conclave_signer_v1_NextShare__Output)[];
}
