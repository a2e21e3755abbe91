import { describe, expect, it } from 'vitest';
import type { Capacity, Layer, LoadBalancer } from '../../../../src/model/stack-model.ts';
import { sampleGroup, sampleModel } from '../../sample-model.ts';
import { idsOfType, problemsOf, propertiesIn, resourceIn, templateOf } from './world.ts';

type Group = Extract<Capacity, { kind: 'group' }>;

const modelOf = (changes: Partial<Group>, more: Partial<Layer> = {}) => {
  const layer = sampleGroup(1, 0);
  return sampleModel({
    layers: [{ ...layer, capacity: { ...layer.capacity, ...changes } as Group, ...more }],
  });
};

const requests: Partial<Group> = { scaling: { metric: 'requests', target: 900 } };
const tcp: LoadBalancer = {
  ...(sampleGroup(1, 0).loadBalancer as LoadBalancer),
  kind: 'network',
};

describe('the scaling policy of a group', () => {
  it('holds the CPU use, and counts new servers after the cooldown', () => {
    const template = templateOf(modelOf({ cooldownSeconds: 120, scaling: { metric: 'cpu', target: 60 } }));
    expect(propertiesIn(template, 'ScalingPolicyWeb0')).toEqual({
      AutoScalingGroupName: { Ref: 'AutoScalingGroupWeb0' },
      PolicyType: 'TargetTrackingScaling',
      EstimatedInstanceWarmup: 120,
      TargetTrackingConfiguration: {
        PredefinedMetricSpecification: { PredefinedMetricType: 'ASGAverageCPUUtilization' },
        TargetValue: 60,
      },
    });
    expect(propertiesIn(template, 'AutoScalingGroupWeb0')).toMatchObject({ Cooldown: '120' });
  });

  it('holds the requests of each server, and is made after the listener that brings them', () => {
    const template = templateOf(modelOf(requests));
    expect(propertiesIn(template, 'ScalingPolicyWeb0')['TargetTrackingConfiguration']).toEqual({
      PredefinedMetricSpecification: {
        PredefinedMetricType: 'ALBRequestCountPerTarget',
        ResourceLabel: {
          'Fn::Sub': '${LoadBalancerWeb0.LoadBalancerFullName}/${TargetGroup80OfWeb0.TargetGroupFullName}',
        },
      },
      TargetValue: 900,
    });
    expect(resourceIn(template, 'ScalingPolicyWeb0').DependsOn).toEqual(['Listener80OfWeb0']);
  });

  it.each<[string, Partial<Group>]>([
    ['does not scale', { scaling: null }],
    ['has only one size', { max: 1, scaling: { metric: 'cpu', target: 60 } }],
  ])('does not exist for a group that %s', (_, changes) => {
    expect(idsOfType(templateOf(modelOf(changes)), 'AWS::AutoScaling::ScalingPolicy')).toEqual([]);
  });

  it.each<[string, LoadBalancer | null]>([
    ['no load balancer', null],
    ['a load balancer for TCP', tcp],
  ])('cannot hold requests with %s, which the problem says', (_, loadBalancer) => {
    expect(problemsOf(modelOf(requests, { loadBalancer }))).toEqual([
      {
        path: 'layers/0/capacity/scaling',
        message:
          'AWS counts requests only at a load balancer with http and https listeners. Add one, or scale by CPU.',
      },
    ]);
  });
});
