//! The cell alone, driven packet by packet: throughput and collisions against closed forms, conservation and order under
//! random losses and absences, and what one scan looks like on the air.

mod alone;
mod amsdu;
mod bianchi;
mod closed_form;
mod conservation;
mod directions;
mod edca;
mod hidden;
mod lab;
mod minstrel;
mod multi_link;
mod networks;
mod noisy_control;
mod outages;
mod overlap;
mod reservation;
mod retries;
mod saving;
mod scanning;
mod switching;
mod turns;
mod widths;
