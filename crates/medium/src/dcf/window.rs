//! The window of a block ack agreement at the receiver (IEEE 802.11-2020, 10.25.6): which numbers of a neighbour have come,
//! so that its packets go up in order, and once.

/// How many numbers a block acknowledgment is about, and a window is long.
pub(super) const LONGEST: u32 = 64;

/// What has come of a neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The first number that has not come.
    next: u32,
    /// Which of those from it on have, from the lowest bit on.
    ahead: u64,
}

/// What a packet is that has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It has come before, or is not waited for any more.
    Again,
    /// It is the one that is waited for.
    Next,
    /// Others have to come before it.
    Ahead,
}

impl Window {
    /// Nothing has come of a neighbour whose first packet in hand is this one.
    pub const fn at(number: u32) -> Self {
        Window { next: number, ahead: 0 }
    }

    /// How far a number is ahead of the one that is waited for; negative behind it.
    const fn distance(&self, number: u32) -> i32 {
        number.wrapping_sub(self.next).cast_signed()
    }

    /// Number `number` has come, for which the window [has moved](Window::move_to).
    pub fn take(&mut self, number: u32) -> Place {
        match self.distance(number) {
            0 => {
                self.step();
                Place::Next
            }
            ahead @ 1..64 if self.ahead >> ahead & 1 == 0 => {
                self.ahead |= 1 << ahead;
                Place::Ahead
            }
            _ => Place::Again,
        }
    }

    fn step(&mut self) {
        self.next = self.next.wrapping_add(1);
        self.ahead >>= 1;
    }

    /// The number that is waited for, if it has come.
    pub fn pop(&mut self) -> Option<u32> {
        let number = self.next;
        (self.ahead & 1 == 1).then(|| self.step())?;
        Some(number)
    }

    /// Nothing before `number` is waited for any more. Those of it that have come are handed to `release`.
    pub fn move_to(&mut self, number: u32, mut release: impl FnMut(u32)) {
        for _ in 0..LONGEST {
            if self.distance(number) <= 0 {
                return;
            }
            if self.ahead & 1 == 1 {
                release(self.next);
            }
            self.step();
        }
        if self.distance(number) > 0 {
            self.next = number;
        }
    }

    /// The first number for which `number` leaves room in the window.
    pub const fn start_for(number: u32) -> u32 {
        number.wrapping_sub(LONGEST - 1)
    }

    /// The last packet, which was the one that was waited for, has not come after all.
    pub fn untake(&mut self) {
        if self.ahead == 0 {
            self.next = self.next.wrapping_sub(1);
        }
    }

    /// Which of the numbers from `start` on have come, from the lowest bit on.
    pub fn bits(&self, start: u32) -> u64 {
        match self.distance(start) {
            0 => self.ahead,
            ahead @ 1..64 => self.ahead >> ahead,
            behind @ -63..0 => {
                let behind = behind.unsigned_abs();
                self.ahead << behind | (1 << behind) - 1
            }
            ..0 => u64::MAX,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes numbers, and says what goes up.
    fn up(window: &mut Window, numbers: &[u32]) -> Vec<u32> {
        let mut all = Vec::new();
        for &number in numbers {
            window.move_to(Window::start_for(number), |held| all.push(held));
            if window.take(number) == Place::Next {
                all.push(number);
            }
            all.extend(std::iter::from_fn(|| window.pop()));
        }
        all
    }

    #[test]
    fn packets_go_up_in_order_and_once() {
        let mut window = Window::at(5);
        assert_eq!(up(&mut window, &[5, 7, 8, 7, 5]), [5]);
        assert_eq!(window.bits(5), 0b1101);
        assert_eq!(window.bits(6), 0b110);
        assert_eq!(window.bits(7), 0b11);
        assert_eq!(up(&mut window, &[6]), [6, 7, 8]);
        assert_eq!(window.bits(5), 0b1111);
        assert_eq!(window.bits(9), 0);
    }

    #[test]
    fn what_the_sender_has_given_up_is_not_waited_for() {
        let mut window = Window::at(0);
        assert!(up(&mut window, &[1, 3]).is_empty());
        let mut all = Vec::new();
        window.move_to(2, |held| all.push(held));
        assert_eq!(all, [1]);
        assert_eq!(up(&mut window, &[2]), [2, 3]);
        // one that is far ahead moves the window
        assert!(up(&mut window, &[70, 8]).is_empty());
        assert_eq!(up(&mut window, &[134]), [8, 70]);
        assert_eq!(window.take(10), Place::Again);
    }

    #[test]
    fn numbers_wrap() {
        let mut window = Window::at(u32::MAX);
        assert_eq!(up(&mut window, &[0, 1, u32::MAX]), [u32::MAX, 0, 1]);
        window.untake();
        assert_eq!(up(&mut window, &[1]), [1]);
        window.move_to(1 << 20, |_| panic!("nothing was held"));
        assert_eq!(up(&mut window, &[1 << 20]), [1 << 20]);
    }
}
