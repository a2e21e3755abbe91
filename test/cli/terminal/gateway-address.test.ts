import { expect, it } from 'vitest';
import { socketAddress } from '../../../src/cli/terminal/gateway-address.ts';

it('terminal addresses keep the path of the service URL', () => {
  const addresses = { api_url: 'https://a.example/alm/', gateway_url: '' };
  expect(socketAddress(addresses, '/x?ticket=1').href).toBe('wss://a.example/alm/x?ticket=1');
  expect(() => socketAddress(addresses, '@evil.example/')).toThrow('an invalid terminal address');
});
