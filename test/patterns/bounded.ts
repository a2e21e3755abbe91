/**
 * Regular expressions that `recheck` did not find safe, as written, and what bounds their input. Text that callers send
 * without a limit must not meet any of them.
 */
const own = 'a name or text that this program made';
const operator = 'a setting or file of the operator';
const person = 'what the person at the command line wrote or configured';
const cloud = 'an error message of a cloud, whose replies have a limit';
const instance = 'text on the instance of one stack, in the agent of that instance';
const names = 'names of resources, which Almanac chose';

export const bounded: Readonly<Record<string, string>> = {
  '/\\s*\\n\\s*/': instance,
  '/\\/+$/': 'a base URL: a setting of the operator, the agent or the person at the command line',
  '/removal of .* already in progress/i': 'an error message of the container engine of this machine',
  '/address already in use|ip address .* is already allocated|already allocated/i':
    'an error message of the container engine of this machine',
  '/\\d+(?=\\/|$)/g': 'the path of a problem; member names have at most 256 characters',
  '/<([^>]*)>\\s*;\\s*rel="?next"?/i': 'a header of the registry; headers have at most 16 KiB',
  '/=+$/': own,
  "/couldn't find remote ref|repository .*not (found|exported)|authentication failed|could not read username|permission denied \\(/i":
    instance,
  '/^\\/+|\\/+$/g': instance,
  '/^(.+?)=(https?:\\/\\/.*)$/i': operator,
  '/^(?=.*\\d)(?=.*[a-z])[\\w-]{20,}$/i':
    'measured: linear, 14 ms for 1 MB, because both lookaheads begin at the start only',
  '/(\\w+)=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))/g':
    'a header of the registry that a person uses; headers have at most 16 KiB',
  '/^(.*?)(?::([^/:@]*))?(?:@([^/]*))?$/s': person,
  '/<([^>]*)>\\s*;[^,]*\\brel="?next"?/i':
    'a header of the registry that a person uses; headers have at most 16 KiB',
  '/\\$\\{(use|copy)\\(.+\\)\\}/u': 'written into a schema for editors; the server does not use it',
  '/\\s*server (CanonicalRequest|string to sign) is\\b.*$/is': cloud,
  '/^(?:Database|(?:Redis|Memcached)?Cache|Instance\\d+Of|Files[a-z0-9]*?\\d+Of)/': names,
  '/<[^>]*>/g': cloud,
  '/not found|no .*found|does not exist/i': cloud,
  '/^# begin agent\\n([^]*?)^# end agent\\n([^]*)/m': own,
  '/drift detection.*(already|in progress)/i': cloud,
  '/^Files[a-z0-9]*[a-z](?=\\d+Of)/': names,
  '/\\s*(?:"((?:[^"]|"")*)"|([^,]*))\\s*(,|$)/y': 'a line of the price list that the operator loads',
  '/\\s*Neutron server returns request_ids: \\[[^\\]]*\\]|\\s*\\((?:HTTP \\d{3}|Request-ID: [\\w-]+)\\)|\\s*\\(HTTP \\d{3}\\) \\(Request-ID: [^)]*\\)/g':
    cloud,

  // Made when the program runs.
  "new RegExp(`(${secretNames})(\\\\d{0,4}${assigned})(?:${value})`, 'gis')":
    'measured: linear for 1 MB; it begins with fixed words, and its repetitions have a limit or cannot fail after them',
  '/(--[\\w-]{0,40}(?:password|passphrase|secret|token|key)\\s{1,8})(?![-<[])[^\\s]+/gi':
    'measured: linear for 1 MB; it begins with fixed signs and has limits before its fixed words',
  "new RegExp(`^[^/]+/(?:${Object.values(urlKinds).join('|')})/`)": 'linear: fixed words after one part',
  'new RegExp(`^${part}(?:/${part})*$`)': person,
  '`^(${noControls}+@${noControls}+)?$`': 'at most 254 characters, and neither part contains @',
  "new RegExp(`^${parts.join('[^/]+')}$`)": 'the path of a request; its line has at most 16 KiB',
  "new RegExp(`^(?:${[names.database(''), names.redis(''), names.instances('')].join('|')})`)": names,
  'new RegExp(`^(?:${layerKinds})(?:\\\\d+Of)?${suffix}$`)': names,
  'new RegExp(`^(?:Routes)?(?:${layerKinds})(?:\\\\d+Of)?${suffix}$`)': names,
  'new RegExp(`^(?:${layerKinds})${suffix}(?:-\\\\d+)?$`)': names,
  'new RegExp(`${noChanges.source}|${inProgress.source}`)': cloud,
  "new RegExp(`^${storeOutput('Files')}[a-z0-9]*[a-z]${server.replace('Instance', '')}$`)": names,
  'new RegExp(`^WaitHandle_[0-9a-f]+_${number}$`)': names,
};
