'use strict';

/* Browser terminal: binary frames carry bytes, text frames carry JSON. See docs/ssh.md. */
(() => {
  const { prefix } = document.body.dataset;
  const heading = document.getElementById('title');
  const status = document.getElementById('status');
  const readAloud = document.getElementById('read-aloud');
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  /** Long pastes are split into frames that the server accepts. */
  const frameBytes = 64 * 1024;

  const showStatus = (text, isError = false) => {
    status.textContent = text;
    status.classList.toggle('error', isError);
  };

  /** The ticket works once, so it is removed from the address bar and the history. */
  const takeTicket = () => {
    const fromPath = /\/tty\/([^/]+)\/?$/.exec(window.location.pathname);
    const ticket = fromPath ? fromPath[1] : new URLSearchParams(window.location.search).get('ticket');
    window.history.replaceState(null, '', `${prefix}/terminal`);
    return ticket;
  };

  const colors = () =>
    dark.matches
      ? { background: '#0d1117', foreground: '#e6edf3', cursor: '#e6edf3', selectionBackground: '#33527a' }
      : { background: '#ffffff', foreground: '#1b1f24', cursor: '#1b1f24', selectionBackground: '#b6d7ff' };

  const makeTerminal = () => {
    const terminal = new window.Terminal({
      cursorBlink: true,
      fontFamily: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace',
      fontSize: 14,
      minimumContrastRatio: 4.5,
      scrollback: 10000,
      theme: colors(),
    });
    const fit = new window.FitAddon.FitAddon();
    terminal.loadAddon(fit);
    terminal.open(document.getElementById('terminal'));
    readAloud.addEventListener('click', () => {
      terminal.options.screenReaderMode = !terminal.options.screenReaderMode;
      readAloud.setAttribute('aria-pressed', String(terminal.options.screenReaderMode));
      terminal.focus();
    });
    dark.addEventListener('change', () => (terminal.options.theme = colors()));
    new ResizeObserver(() => fit.fit()).observe(document.getElementById('terminal'));
    fit.fit();
    return terminal;
  };

  const connect = (terminal, ticket) => {
    const address = new URL(`${prefix}/v3/alm/terminal`, window.location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    address.search = new URLSearchParams({ ticket }).toString();
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    /** Last message before the connection closed. Browsers hide why a connection was rejected, so assume the ticket. */
    let last = { error: 'This ticket is invalid, expired or already used' };

    const send = (bytes) => {
      for (let start = 0; start < bytes.length; start += frameBytes)
        socket.send(bytes.subarray(start, start + frameBytes));
    };
    const whenOpen = (act) => (value) => socket.readyState === WebSocket.OPEN && act(value);
    const resize = whenOpen(({ cols, rows }) => socket.send(JSON.stringify({ resize: [cols, rows] })));
    const encoder = new TextEncoder();
    terminal.onData(whenOpen((text) => send(encoder.encode(text))));
    terminal.onBinary(
      whenOpen((text) => send(Uint8Array.from(text, (character) => character.charCodeAt(0)))),
    );
    terminal.onResize(resize);

    const receive = (message) => {
      if (message.ready) {
        document.title = message.ready.title;
        heading.textContent = message.ready.title;
        last = { error: 'Connection lost' };
        showStatus('Connected');
        resize(terminal);
        terminal.focus();
      } else last = message;
    };
    socket.addEventListener('message', ({ data }) =>
      typeof data === 'string' ? receive(JSON.parse(data)) : terminal.write(new Uint8Array(data)),
    );
    socket.addEventListener('close', () => {
      terminal.options.disableStdin = true;
      terminal.options.cursorBlink = false;
      if ('exit' in last)
        showStatus(`Shell ended with exit code ${String(last.exit)}. You can close this page.`);
      else showStatus(`${last.error}. Open a new terminal to continue.`, true);
    });
  };

  const ticket = takeTicket();
  if (ticket) connect(makeTerminal(), ticket);
  else showStatus('The URL contains no ticket. Open a new terminal to continue.', true);
})();
