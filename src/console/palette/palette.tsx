import { Dialog } from '../parts/dialog.tsx';

const Palette = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Search" onClose={onClose}>
    …
  </Dialog>
);

export default Palette;
