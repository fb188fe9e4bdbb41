// Original file: ../../proto/conclave/signer/v1/peer.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeliverReply as _conclave_signer_v1_DeliverReply, DeliverReply__Output as _conclave_signer_v1_DeliverReply__Output } from '../../../conclave/signer/v1/DeliverReply.gen.ts';
import type { DeliverRequest as _conclave_signer_v1_DeliverRequest, DeliverRequest__Output as _conclave_signer_v1_DeliverRequest__Output } from '../../../conclave/signer/v1/DeliverRequest.gen.ts';

export interface PeerClient extends grpc.Client {
  Deliver(argument: _conclave_signer_v1_DeliverRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_DeliverReply__Output>): grpc.ClientUnaryCall;
  Deliver(argument: _conclave_signer_v1_DeliverRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_DeliverReply__Output>): grpc.ClientUnaryCall;
  Deliver(argument: _conclave_signer_v1_DeliverRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_DeliverReply__Output>): grpc.ClientUnaryCall;
  Deliver(argument: _conclave_signer_v1_DeliverRequest, callback: grpc.requestCallback<_conclave_signer_v1_DeliverReply__Output>): grpc.ClientUnaryCall;
  deliver(argument: _conclave_signer_v1_DeliverRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_DeliverReply__Output>): grpc.ClientUnaryCall;
  deliver(argument: _conclave_signer_v1_DeliverRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_conclave_signer_v1_DeliverReply__Output>): grpc.ClientUnaryCall;
  deliver(argument: _conclave_signer_v1_DeliverRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_conclave_signer_v1_DeliverReply__Output>): grpc.ClientUnaryCall;
  deliver(argument: _conclave_signer_v1_DeliverRequest, callback: grpc.requestCallback<_conclave_signer_v1_DeliverReply__Output>): grpc.ClientUnaryCall;
  
}

export interface PeerHandlers extends grpc.UntypedServiceImplementation {
  Deliver: grpc.handleUnaryCall<_conclave_signer_v1_DeliverRequest__Output, _conclave_signer_v1_DeliverReply>;
  
}

export interface PeerDefinition extends grpc.ServiceDefinition {
  Deliver: MethodDefinition<_conclave_signer_v1_DeliverRequest, _conclave_signer_v1_DeliverReply, _conclave_signer_v1_DeliverRequest__Output, _conclave_signer_v1_DeliverReply__Output>
}
